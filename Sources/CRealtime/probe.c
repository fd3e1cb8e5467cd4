// Probe for RealtimeSanitizer. Its symbols are weak, so that the program runs the same code with and without the
// sanitizer.
#include "CRealtime.h"

extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));
extern void __rtsan_ensure_initialized(void) __attribute__((weak));

void prc_realtime_probe_enter(void) {
    if (__rtsan_realtime_enter) __rtsan_realtime_enter();
}

void prc_realtime_probe_exit(void) {
    if (__rtsan_realtime_exit) __rtsan_realtime_exit();
}

int prc_realtime_probe_is_linked(void) {
    if (!__rtsan_ensure_initialized) return 0;
    __rtsan_ensure_initialized();
    return 1;
}
