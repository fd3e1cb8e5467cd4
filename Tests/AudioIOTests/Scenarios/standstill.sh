# Has the server stand still while something is asked of it, and closes the stage.
. "$(dirname "$0")/common.sh"
stage_start --connect physical --record "$WORK/ears.wav"
stage_say started start
sleep 0.3
kill -STOP "$JACK_SANDBOX_SERVER_PID"
# It may answer until it has stopped.
for _ in $(seq 100); do
    grep -q '^State:[[:space:]]*T' "/proc/$JACK_SANDBOX_SERVER_PID/status" && break
    sleep .02
done
echo ask >&"$stage_in"
sleep 0.3
stage_quit
kill -CONT "$JACK_SANDBOX_SERVER_PID"
