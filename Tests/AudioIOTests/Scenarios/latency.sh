# Prints the latency ranges round the stage, between clients that report 100 frames before and 30 behind it.
# latency.sh STAGE-OPTION...
. "$(dirname "$0")/common.sh"
stage_start "$@"
sleep 30 | fixture delay before1 --latency 100 --from system:capture_1 --to proscenium:in_FL &
sleep 30 | fixture delay before2 --latency 100 --from system:capture_2 --to proscenium:in_FR &
sleep 30 | fixture delay after1 --latency 30 --from proscenium:out_L --to system:playback_1 &
sleep 30 | fixture delay after2 --latency 30 --from proscenium:out_R --to system:playback_2 &
for _ in $(seq 100); do
    [ "$(jack_lsp -c | grep -c -e '^   ')" -ge 16 ] && break
    sleep .05
done
sleep .5
for port in system:capture_1 proscenium:in_FL proscenium:out_L system:playback_1; do
    fixture latency "$port" | sed "s/^/$port /"
done
stage_say playback playback
stage_say 'connections done' connections
stage_quit
