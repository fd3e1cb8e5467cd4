// Does not return from its first call.
#include "planted.h"

static void run(LV2_Handle handle, uint32_t frames) {
    (void)handle, (void)frames;
    for (volatile int i = 0;; i = !i) {}
}

PLANTED(0, 0)
