# Plays $WORK/in.wav from a frame of the player's choice through the stage in freewheel; records inside and outside.
# null.sh FRAMES STAGE-OPTION...
. "$(dirname "$0")/common.sh"
frames=$1; shift
stage_start --policy ctl --record "$WORK/live.wav" "$@"
# jackd stalls where its graph changes in freewheel: all are connected before.
record_ears "$frames"
play_ahead "$WORK/in.wav" proscenium:in_FL,proscenium:in_FR
echo "$at" >&"$recorder_in"
stage_say started "start $at"
wait "$recorder" || give_up "the recorder failed"
wait "$player" || give_up "the player failed"
stage_say recorded stop-recording
stage_quit
echo "at $at"
