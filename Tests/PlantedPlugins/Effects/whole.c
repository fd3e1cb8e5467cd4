// A plugin for a whole bed of CHANNELS channels. Ports: 0… in, CHANNELS… out. Channel c (from 0) is multiplied by (c +
// 1)/16, so that each channel can be told from all others.
#include "planted.h"

static void run(LV2_Handle handle, uint32_t frames) {
    Planted *planted = handle;
    for (int c = 0; c < CHANNELS; c++) {
        for (uint32_t i = 0; i < frames; i++) {
            planted->ports[CHANNELS + c][i] = (float)(c + 1) / 16 * planted->ports[c][i];
        }
    }
}

PLANTED(0, 0)
