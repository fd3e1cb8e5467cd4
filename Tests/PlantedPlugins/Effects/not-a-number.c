// Ports: 0 in, 1 out, 2 after. Passes its input on for `after` frames, then sends no numbers any more.
#include "planted.h"
#include <math.h>

static void run(LV2_Handle handle, uint32_t frames) {
    Planted *planted = handle;
    for (uint32_t i = 0; i < frames; i++) {
        planted->ports[1][i] = planted->passed++ < *planted->ports[2] ? planted->ports[0][i] : NAN;
    }
}

PLANTED(0, 0)
