// Ports: 0 in, 1 out, 2 gain (factor). At 1, the first value, the output is the input bit for bit.
#include "planted.h"

static void run(LV2_Handle handle, uint32_t frames) {
    Planted *planted = handle;
    const float gain = *planted->ports[2];
    for (uint32_t i = 0; i < frames; i++) planted->ports[1][i] = gain * planted->ports[0][i];
}

PLANTED(0, 0)
