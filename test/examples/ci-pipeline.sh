#!/usr/bin/env bash
# A step of a pipeline: start the mock, wait until it is ready, run the tests, ask what they covered, stop.
# Usage: ci-pipeline.sh COMMAND..., such as: ci-pipeline.sh npm test. MINIMUM is the coverage to reach, in percent.
set -euo pipefail

ready=$(mktemp)
# Not through npx, so that the signal at the end reaches the mock itself.
node_modules/.bin/ca-mock --port 0 --strict --log json > "$ready" &
mock=$!
trap 'kill "$mock" || true; wait "$mock" || true; rm "$ready"' EXIT

# The mock writes its address in the first line as soon as it can answer calls.
until [ -s "$ready" ]; do kill -0 "$mock"; sleep 0.1; done
MOCK_URL=$(head -n 1 "$ready" | node -p 'JSON.parse(fs.readFileSync(0)).url')
export MOCK_URL

"$@"

curl --silent --show-error --fail-with-body "$MOCK_URL/_mock/coverage?format=text&min=${MINIMUM:-0}"
