# Kills the server under the stage.
. "$(dirname "$0")/common.sh"
stage_start --connect physical
sleep 1
kill -KILL "${JACK_SANDBOX_SERVER_PID:-$PIPEWIRE_SANDBOX_SERVER_PID}"
stage_wait 'event serverLost'
stage_say connections connections
stage_say error 'start 5' || true
stage_quit
"$FIXTURES/stage-fixture" live </dev/null | sed 's/^/again /'
