# Has the stage listen to a pedal that is not pressed: a tracker that was not woken says nothing.
. "$(dirname "$0")/common.sh"
stage_start
"$FIXTURES/jack-fixtures" headtracker "Pedal" & pedal=$!
for _ in $(seq 200); do jack_lsp | grep -q "Pedal:out" && break; sleep .05; done
stage_say listening 'listen Pedal'
stage_say wakings wakings
stage_quit
