// Ports: 0 in, 1 out, 2 cutoff (Hz), 3 shape (0 low-pass, 1 high-pass). One pole, frame by frame: however a sound is
// cut into blocks, the result has the same bits. Needs nothing of its host.
#include "planted.h"
#include <math.h>

static void run(LV2_Handle handle, uint32_t frames) {
    Planted *planted = handle;
    const float share = 1 - expf(-6.2831853f * *planted->ports[2] / (float)planted->rate);
    const int high = *planted->ports[3] > 0.5f;
    float low = planted->own[0];
    for (uint32_t i = 0; i < frames; i++) {
        const float in = planted->ports[0][i];
        low += share * (in - low);
        planted->ports[1][i] = high ? in - low : low;
    }
    planted->own[0] = low;
}

PLANTED(0, 0)
