# What the scenarios share. FIXTURES: folder of the built fixtures; WORK: a folder for their files.
set -eu
fixture() { "$FIXTURES/jack-fixtures" "$@"; }
# Whatever ends a scenario, nothing of it stays: a fixture whose server is gone may heed no gentler signal, and would hold open
# what the test waits for.
trap 'kill -9 $(jobs -p) 2>/dev/null || true' EXIT
trap 'exit 143' TERM INT
give_up() { echo "scenario: $*" >&2; exit 1; }

# stage_start OPTION...: starts the stage under test and waits until it is ready.
stage_start() {
    coproc STAGE { exec "$FIXTURES/stage-fixture" live "$@"; }
    stage_out=${STAGE[0]} stage_in=${STAGE[1]} stage_pid=$STAGE_PID
    stage_wait ready
}
# stage_wait WORD: prints and passes over lines until one begins with WORD; that one is in $answer.
stage_wait() {
    while read -r -t 60 answer <&"$stage_out"; do
        echo "stage $answer"
        case $answer in "$1"*) return 0 ;; error*) return 1 ;; esac
    done
    give_up "the stage did not say $1"
}
# stage_say WORD LINE: sends LINE and waits for an answer beginning with WORD.
stage_say() { echo "$2" >&"$stage_in"; stage_wait "$1"; }
stage_quit() { stage_say closed quit; wait "$stage_pid"; }

# record_ears FRAMES: starts the recorder on the stage's outputs; it waits for a frame on descriptor $recorder_in.
record_ears() {
    rm -f "$WORK/frame"; mkfifo "$WORK/frame"
    : >"$WORK/recorder"
    "$FIXTURES/jack-fixtures" record "$WORK/outside.wav" --from proscenium:out_L,proscenium:out_R --frames "$1" \
        <"$WORK/frame" >"$WORK/recorder" &
    recorder=$!
    exec {recorder_in}>"$WORK/frame"
    for _ in $(seq 2000); do
        grep -q armed "$WORK/recorder" && return 0
        kill -0 "$recorder" 2>/dev/null || give_up "the recorder ended"
        sleep .01
    done
    give_up "the recorder was not armed"
}

# play_ahead FILE PORTS: sets the server freewheeling and starts the player 2000 slowed-down cycles ahead; its frame is in $at, its process in $player.
play_ahead() {
    : >"$WORK/player"
    "$FIXTURES/jack-fixtures" play "$1" --to "$2" --ahead "${AHEAD:-2000}" --pause "${PAUSE:-500}" >"$WORK/player" &
    player=$!
    for _ in $(seq 2000); do
        at=$(sed -n 's/^at //p' "$WORK/player")
        [ -n "$at" ] && return 0
        kill -0 "$player" 2>/dev/null || give_up "the player ended"
        sleep .01
    done
    give_up "the player chose no frame"
}
