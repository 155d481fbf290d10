"""Every path that the fake serves: what does it, and which permission it takes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.fakes.github.call import Call, Reply
from tests.fakes.github.routes import actions, apps, checks, git, issues, pulls, repos

_R = "/repos/{owner}/{repo}"


@dataclass(frozen=True, slots=True)
class Route:
    """The function behind a path, and the permissions of which one is needed (none: any token; `nobody`: no token)."""

    handle: Callable[[Call], Reply]
    needs: tuple[str, ...] = ()


_ANY_WRITE = ("issues:write", "pull_requests:write")
_ANY_READ = ("issues:read", "pull_requests:read")

ROUTES: Mapping[str, Route] = {
    "POST /app-manifests/{code}/conversions": Route(apps.convert_manifest, ("nobody",)),
    "GET /app": Route(apps.get_app, ("app",)),
    "GET /app/installations": Route(apps.list_installations, ("app",)),
    "GET /app/installations/{installation_id}": Route(apps.get_installation, ("app",)),
    "POST /app/installations/{installation_id}/access_tokens": Route(apps.create_token, ("app",)),
    "GET /installation/repositories": Route(apps.list_installation_repositories, ("installation",)),
    "GET /user": Route(apps.get_user),
    "GET /user/memberships/orgs/{org}": Route(apps.get_own_membership),
    "GET /users/{username}": Route(apps.get_account),
    f"GET {_R}": Route(repos.get_repository, ("metadata:read",)),
    f"GET {_R}/installation": Route(apps.get_repository_installation, ("app",)),
    f"GET {_R}/collaborators/{{username}}/permission": Route(repos.get_permission, ("metadata:read",)),
    f"GET {_R}/branches": Route(repos.list_branches, ("contents:read",)),
    f"GET {_R}/branches/{{branch}}": Route(repos.get_branch, ("contents:read",)),
    f"GET {_R}/branches/{{branch}}/protection": Route(repos.get_protection, ("administration:read",)),
    f"GET {_R}/contents/{{path}}": Route(repos.get_content, ("contents:read",)),
    f"GET {_R}/git/ref/{{ref}}": Route(git.get_ref, ("contents:read",)),
    f"GET {_R}/git/matching-refs/{{ref}}": Route(git.list_matching_refs, ("contents:read",)),
    f"POST {_R}/git/refs": Route(git.create_ref, ("contents:write",)),
    f"PATCH {_R}/git/refs/{{ref}}": Route(git.update_ref, ("contents:write",)),
    f"DELETE {_R}/git/refs/{{ref}}": Route(git.delete_ref, ("contents:write",)),
    f"GET {_R}/git/commits/{{commit_sha}}": Route(git.get_git_commit, ("contents:read",)),
    f"GET {_R}/commits/{{ref}}": Route(git.get_commit, ("contents:read",)),
    f"GET {_R}/commits/{{commit_sha}}/pulls": Route(git.list_pulls_of_commit, ("pull_requests:read",)),
    f"GET {_R}/commits/{{ref}}/check-runs": Route(checks.list_check_runs, ("checks:read",)),
    f"GET {_R}/commits/{{ref}}/check-suites": Route(checks.list_check_suites, ("checks:read",)),
    f"GET {_R}/commits/{{ref}}/status": Route(checks.get_combined_status, ("statuses:read",)),
    f"GET {_R}/commits/{{ref}}/statuses": Route(checks.list_statuses, ("statuses:read",)),
    f"POST {_R}/statuses/{{sha}}": Route(checks.create_status, ("statuses:write",)),
    f"GET {_R}/compare/{{basehead}}": Route(git.compare, ("contents:read",)),
    f"POST {_R}/check-runs": Route(checks.create_check_run, ("checks:write",)),
    f"GET {_R}/check-runs/{{check_run_id}}": Route(checks.get_check_run, ("checks:read",)),
    f"PATCH {_R}/check-runs/{{check_run_id}}": Route(checks.update_check_run, ("checks:write",)),
    f"GET {_R}/check-runs/{{check_run_id}}/annotations": Route(checks.list_annotations, ("checks:read",)),
    f"GET {_R}/issues": Route(issues.list_issues, _ANY_READ),
    f"POST {_R}/issues": Route(issues.create_issue, ("issues:write",)),
    f"GET {_R}/issues/{{issue_number}}": Route(issues.get_issue, _ANY_READ),
    f"PATCH {_R}/issues/{{issue_number}}": Route(issues.update_issue, _ANY_WRITE),
    f"GET {_R}/issues/{{issue_number}}/labels": Route(issues.list_labels, _ANY_READ),
    f"POST {_R}/issues/{{issue_number}}/labels": Route(issues.add_labels, _ANY_WRITE),
    f"GET {_R}/issues/{{issue_number}}/comments": Route(issues.list_comments, _ANY_READ),
    f"POST {_R}/issues/{{issue_number}}/comments": Route(issues.create_comment, _ANY_WRITE),
    f"GET {_R}/issues/comments/{{comment_id}}": Route(issues.get_comment, _ANY_READ),
    f"PATCH {_R}/issues/comments/{{comment_id}}": Route(issues.update_comment, _ANY_WRITE),
    f"DELETE {_R}/issues/comments/{{comment_id}}": Route(issues.delete_comment, _ANY_WRITE),
    f"GET {_R}/issues/comments/{{comment_id}}/reactions": Route(issues.list_reactions, _ANY_READ),
    f"POST {_R}/issues/comments/{{comment_id}}/reactions": Route(issues.create_reaction, _ANY_WRITE),
    f"DELETE {_R}/issues/comments/{{comment_id}}/reactions/{{reaction_id}}": Route(issues.delete_reaction, _ANY_WRITE),
    f"GET {_R}/pulls": Route(pulls.list_pulls, ("pull_requests:read",)),
    f"POST {_R}/pulls": Route(pulls.create_pull, ("pull_requests:write",)),
    f"GET {_R}/pulls/{{pull_number}}": Route(pulls.get_pull, ("pull_requests:read",)),
    f"PATCH {_R}/pulls/{{pull_number}}": Route(pulls.update_pull, ("pull_requests:write",)),
    f"GET {_R}/pulls/{{pull_number}}/commits": Route(pulls.list_commits, ("pull_requests:read",)),
    f"GET {_R}/pulls/{{pull_number}}/files": Route(pulls.list_files, ("pull_requests:read",)),
    f"GET {_R}/pulls/{{pull_number}}/comments": Route(pulls.list_review_comments, ("pull_requests:read",)),
    f"POST {_R}/pulls/{{pull_number}}/comments": Route(pulls.create_review_comment, ("pull_requests:write",)),
    f"GET {_R}/pulls/{{pull_number}}/reviews": Route(pulls.list_reviews, ("pull_requests:read",)),
    f"POST {_R}/pulls/{{pull_number}}/reviews": Route(pulls.create_review, ("pull_requests:write",)),
    f"GET {_R}/actions/runs": Route(actions.list_runs, ("actions:read",)),
    f"GET {_R}/actions/runs/{{run_id}}": Route(actions.get_run, ("actions:read",)),
    f"GET {_R}/actions/runs/{{run_id}}/jobs": Route(actions.list_jobs, ("actions:read",)),
    f"GET {_R}/actions/runs/{{run_id}}/logs": Route(actions.get_run_logs, ("actions:read",)),
    f"POST {_R}/actions/runs/{{run_id}}/rerun-failed-jobs": Route(actions.rerun_failed_jobs, ("actions:write",)),
    f"GET {_R}/actions/jobs/{{job_id}}": Route(actions.get_job, ("actions:read",)),
    f"GET {_R}/actions/jobs/{{job_id}}/logs": Route(actions.get_job_logs, ("actions:read",)),
    f"POST {_R}/actions/workflows/{{workflow_id}}/dispatches": Route(actions.dispatch_workflow, ("actions:write",)),
    f"POST {_R}/dispatches": Route(actions.dispatch_repository, ("contents:write",)),
}
