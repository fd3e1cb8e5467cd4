# Has the stage open a player for a file.
. "$(dirname "$0")/common.sh"
stage_start
stage_say players "play $1"
stage_quit
