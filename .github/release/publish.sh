#!/usr/bin/env bash
# Commits the pinned Action on top of the released commit, moves the major tag there and publishes the release.
set -euo pipefail
version=${GITHUB_REF_NAME:?a tag vX.Y.Z}
major=${version%%.*}

git add action.yml slim/action.yml full/action.yml
git -c user.name='github-actions[bot]' -c user.email='41898282+github-actions[bot]@users.noreply.github.com' \
  commit --quiet --message "Use the published images of $version"
commit=$(git rev-parse HEAD)

gh auth setup-git
git push --force origin "$commit:refs/tags/$major"
gh release create "$version" --verify-tag --generate-notes --notes \
  "\`uses: $GITHUB_REPOSITORY@$major\` runs the published image; to pin it, use \`$GITHUB_REPOSITORY@$commit # $version\`."
