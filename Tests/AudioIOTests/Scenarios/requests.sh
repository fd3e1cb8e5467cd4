# Two threads of the stage make requests to the server at once.
. "$(dirname "$0")/common.sh"
stage_start
stage_say wrong requests
stage_quit
