# Changes the period under the stage.
. "$(dirname "$0")/common.sh"
stage_start --connect "$1"
for period in 512 100 8192 16; do
    fixture period $period
    stage_wait 'event periodChanged' || true
done
stage_say started start
stage_quit
