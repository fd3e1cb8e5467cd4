# A second stage of the same name, and a third that insists on it.
. "$(dirname "$0")/common.sh"
stage_start
"$FIXTURES/stage-fixture" live </dev/null | sed 's/^/second /'
"$FIXTURES/stage-fixture" live --exact yes </dev/null | sed 's/^/third /'
stage_quit
