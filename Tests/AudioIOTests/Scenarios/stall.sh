# Has the server stand still for four seconds, and then the stage: neither is a death.
. "$(dirname "$0")/common.sh"
stage_start --connect physical
stage_say started start
for one in "${JACK_SANDBOX_SERVER_PID:-${PIPEWIRE_SANDBOX_SERVER_PID:-}}" "$stage_pid"; do
    sleep 0.3
    kill -STOP "$one"
    sleep 4
    kill -CONT "$one"
    sleep 1
    stage_say started start
done
stage_say connection connections
stage_quit
