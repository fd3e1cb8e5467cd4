#!/bin/sh
# Proves that the audio thread neither locks nor allocates, twice over: the compiler's proof (@_noLocks, in debug and in
# release builds) and the run-time one (RealtimeSanitizer over the whole of `process`, and over a planted allocation that
# it must catch). Needs the sanitizer's library, which comes with the Swift toolchain.
set -eu
cd "$(dirname "$0")/.."

library=${RTSAN_LIB:-}
if [ -z "$library" ]; then
    toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
    library=$(find "$toolchain/lib" -name "libclang_rt.rtsan-$(uname -m).a" 2>/dev/null | head -n 1)
fi
if [ -z "$library" ] || [ ! -f "$library" ]; then
    echo "realtime: the Swift toolchain has no libclang_rt.rtsan-$(uname -m).a; set RTSAN_LIB to the one of a clang 20 or later" >&2
    exit 3
fi

echo "realtime: compiler's proof, release build"
swift build -c release --target AudioIO
echo "realtime: compiler's proof, debug build, with the sanitizer"
RTSAN_LIB=$library swift build --build-tests

log=.build/realtime-proof.txt
run() { RTSAN_LIB=$library swift test --skip-build --filter RealtimeTests >"$log" 2>&1; }

if ! run; then
    cat "$log"
    echo "realtime: FAILED: the audio thread does what it must not (see above)" >&2
    exit 1
fi
grep -q 'theSanitizerIsLinked() passed' "$log" || {
    cat "$log"
    echo "realtime: FAILED: the sanitizer is not linked, so nothing was proven" >&2
    exit 1
}
if PROSCENIUM_PLANT=1 run; then
    cat "$log"
    echo "realtime: FAILED: the planted allocation was not caught" >&2
    exit 1
fi
grep -q 'RealtimeSanitizer: unsafe-library-call' "$log" || {
    cat "$log"
    echo "realtime: FAILED: the planted allocation failed for another reason than the sanitizer" >&2
    exit 1
}
echo "realtime: process is clean in debug and release; a planted allocation is caught"
