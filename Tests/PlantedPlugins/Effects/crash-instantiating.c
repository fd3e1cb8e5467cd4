// Crashes when an instance is asked for.
#include "planted.h"

static int begin(Planted *planted, const LV2_Feature *const *features) {
    (void)planted, (void)features;
    *(volatile int *)NULL = 1;
    return 1;
}

static void run(LV2_Handle handle, uint32_t frames) { (void)handle, (void)frames; }

PLANTED(begin, 0)
