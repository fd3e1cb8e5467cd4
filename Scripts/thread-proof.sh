#!/bin/sh
# Proves by ThreadSanitizer that data pass between threads without a race: the rings, the mailbox, the worker and the handles of
# shared memory of Signal. A planted race must be found.
# Builds only Signal, in a separate folder, and optimised: unspecialised generic code writes through functions of
# the standard library, which the sanitizer does not instrument.
set -eu
cd "$(dirname "$0")/.."

scratch=.build/threads
log=$scratch/thread-proof.txt
if ! swift build -c release --sanitize=thread --scratch-path "$scratch" --product race-proof >"$scratch.txt" 2>&1; then
    cat "$scratch.txt"
    echo "threads: FAILED: the proof does not compile with ThreadSanitizer (see above)" >&2
    exit 1
fi
program=$(swift build -c release --sanitize=thread --scratch-path "$scratch" --show-bin-path)/race-proof
if ! timeout 300 "$program" >"$log" 2>&1; then
    cat "$log"
    echo "threads: FAILED: a race (see above)" >&2
    exit 1
fi
if PROSCENIUM_PLANT=1 timeout 300 "$program" >"$log" 2>&1; then
    cat "$log"
    echo "threads: FAILED: the planted race was not found" >&2
    exit 1
fi
grep -q 'ThreadSanitizer: .* race' "$log" || {
    cat "$log"
    echo "threads: FAILED: the planted race failed for another reason than the sanitizer" >&2
    exit 1
}
echo "threads: rings, mailbox, worker and handles of shared memory are free of races; a planted one is found"
