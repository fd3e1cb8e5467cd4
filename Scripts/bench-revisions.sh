# Functions that bench-compare and bench-ledger share. A script sets `tool`, its name in messages, and reads this file with `.`.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python=/usr/bin/python3
report=$root/Benchmarks/report
work=$root/.build/bench-compare
mkdir -p "$work"

# Exits with status 2 unless the argument is a number of pairs that suffices for an interval.
check_pairs() {
    if ! [[ $1 =~ ^[0-9]+$ ]] || [ "$1" -lt 8 ]; then
        echo "$tool: needs at least 8 pairs of processes to say anything, not '$1'." >&2
        exit 2
    fi
}

# Sets `commit` to a revision's short name and `tree` to its worktree below .build, which is made if it is missing.
check_out() {
    if ! commit=$(git -C "$root" rev-parse --verify --quiet --short "$1^{commit}"); then
        echo "$tool: there is no revision '$1' here (git log shows what there is)." >&2
        exit 3
    fi
    tree=$work/base$commit
    git -C "$root" worktree prune
    if [ ! -d "$tree" ]; then git -C "$root" worktree add --quiet --detach "$tree" "$commit"; fi
    if [ ! -f "$tree/Benchmarks/Sources/bench/Measurement/Lockstep.swift" ]; then
        echo "$tool: $1 is older than this suite: its benchmarks do not say what today's do, so there is nothing to" >&2
        echo "  compare. The oldest revision that can be named is the one that added Benchmarks/Sources/bench:" >&2
        oldest=$(git -C "$root" log --diff-filter=A --format='%h %s' -- Benchmarks/Sources/bench/Measurement/Lockstep.swift)
        echo "  ${oldest:-none yet}" >&2
        exit 3
    fi
}

# Prints the folder of a revision's benchmarks, which formerly were a separate package.
package() { [ -f "$1/Benchmarks/Package.swift" ] && echo "$1/Benchmarks" || echo "$1"; }

# Compiles a tree's benchmarks.
compile() {
    echo "$tool: compiling $1 (release)"
    if ! PROSCENIUM_BENCHMARKS=1 swift build --package-path "$(package "$1")" -c release --product bench \
        </dev/null >"$work/build.log" 2>&1; then
        tail -n 15 "$work/build.log" >&2
        echo "$tool: it does not build there (all of it: $work/build.log)." >&2
        exit 3
    fi
}

# Runs a tree's processes and this tree's in turn: take_turns TREE FOLDER PAIRS [OPTION of bench]...
take_turns() {
    local base=$1
    shift
    mkdir -p "$1"
    "$python" "$report/lockstep.py" "$(package "$base")/.build/release/bench" "$root/.build/release/bench" "$@"
}
