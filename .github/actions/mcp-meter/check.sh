#!/bin/sh
# Runs mcp-meter check with the inputs of the action: METER SERVER CALLS LOCK OPTIONS REPORT.
# Ends with the exit code of the check. With a report the server is checked a second time, for the file.
set -eu
meter=${METER:-"$GITHUB_ACTION_PATH/../../../dist/mcp-meter"}

# The command of a server is whatever a shell reads: several words, variables, "cd server && node main.js".
check() {
  # shellcheck disable=SC2086 # options are words
  "$meter" check ${CALLS:+--calls "$CALLS"} ${LOCK:+--file "$LOCK"} ${OPTIONS:-} "$@" \
    -- sh -c "$SERVER"
}

case ${REPORT:-} in
'') check ;;
*.xml) format=junit ;;
*.sarif) format=sarif ;;
*.json) format=json ;;
*)
  echo "mcp-meter: Cannot write the report \"$REPORT\": its name must end with .xml, .sarif or .json" >&2
  exit 2
  ;;
esac

if [ -n "${format:-}" ]; then
  # Only the check that people read writes the summary of the step.
  (unset GITHUB_STEP_SUMMARY && check --format "$format") >"$REPORT" || true
  check
fi
