// Never returns when an instance is asked for.
#include "planted.h"
#include <unistd.h>

static int begin(Planted *planted, const LV2_Feature *const *features) {
    (void)planted, (void)features;
    for (;;) sleep(1);
}

static void run(LV2_Handle handle, uint32_t frames) { (void)handle, (void)frames; }

PLANTED(begin, 0)
