"""Events that GitHub may send and that ask fixloop for nothing, with the reason for the log."""

from collections.abc import Mapping

UNUSED_EVENTS: Mapping[str, str] = {
    "push": "a push alone starts nothing: the pull request's event, or the failing checks', tells of the same commit",
    "pull_request_review": "commands are taken from the pull request's conversation, not from reviews",
    "pull_request_review_comment": "commands are taken from the pull request's conversation, not from reviews",
    "workflow_job": "fixloop waits for the whole workflow run, whose event names every job that failed",
    "status": "a commit status has no log to work from; check suites and workflow runs do",
    "ping": "the webhook is connected",
    "installation": "the service keeps by itself where the App is installed",
    "installation_repositories": "the service keeps by itself where the App is installed",
}
