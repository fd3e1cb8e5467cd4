# Has the server stand still while something is asked of it, and closes the stage.
. "$(dirname "$0")/common.sh"
stage_start --connect physical --record "$WORK/ears.wav"
stage_say started start
sleep 0.3
kill -STOP "$JACK_SANDBOX_SERVER_PID"
echo ask >&"$stage_in"
sleep 0.3
stage_quit
kill -CONT "$JACK_SANDBOX_SERVER_PID"
