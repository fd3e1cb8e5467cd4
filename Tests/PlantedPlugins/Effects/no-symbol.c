// Ports: 0 in, 1 out. Calls a function that no library has: it cannot be loaded.
#include "planted.h"

float proscenium_planted_nowhere(float sample);

static void run(LV2_Handle handle, uint32_t frames) {
    Planted *planted = handle;
    for (uint32_t i = 0; i < frames; i++) planted->ports[1][i] = proscenium_planted_nowhere(planted->ports[0][i]);
}

PLANTED(0, 0)
