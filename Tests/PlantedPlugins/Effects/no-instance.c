// Makes no instance of itself.
#include "planted.h"

static int begin(Planted *planted, const LV2_Feature *const *features) {
    (void)planted, (void)features;
    return 0;
}

static void run(LV2_Handle handle, uint32_t frames) { (void)handle, (void)frames; }

PLANTED(begin, 0)
