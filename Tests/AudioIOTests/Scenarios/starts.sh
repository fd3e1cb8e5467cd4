# A start that is asked for while another waits.
. "$(dirname "$0")/common.sh"
stage_start
stage_say started starts
# Ends at the error that the other is told.
stage_wait started || true
stage_quit
