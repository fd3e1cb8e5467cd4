#!/bin/sh
# Proves in two ways that the audio thread neither locks nor allocates: the compiler's proof (@_noLocks, which the debug and
# the release build have passed when this runs) and at run time: RealtimeSanitizer over the whole of `process` in the
# tests that have just passed, and over a planted allocation that it must catch.
set -eu
cd "$(dirname "$0")/.."

library=$(Scripts/rtsan-library)
if [ -z "$library" ] || [ ! -f "$library" ]; then
    echo "realtime: the Swift toolchain has no libclang_rt.rtsan-$(uname -m).a; set RTSAN_LIB to the one of a clang 20 or later" >&2
    exit 3
fi
report=.build/reports/unit.txt
grep -q 'Test theSanitizerIsLinked() passed' "$report" 2>/dev/null || {
    echo "realtime: FAILED: the sanitizer was not linked into the tests, so nothing was proven; run 'make unit' first" >&2
    exit 1
}
planted=.build/reports/planted.txt
if RTSAN_LIB=$library PROSCENIUM_PLANT=1 swift test --skip-build --filter aPlantedAllocationEndsTheProgram >"$planted" 2>&1; then
    cat "$planted"
    echo "realtime: FAILED: the planted allocation was not caught" >&2
    exit 1
fi
grep -q 'RealtimeSanitizer: unsafe-library-call' "$planted" || {
    cat "$planted"
    echo "realtime: FAILED: the planted allocation failed for another reason than the sanitizer" >&2
    exit 1
}
echo "realtime: process is clean in debug and release; a planted allocation is caught"
