// Ports: 0 in, 1 out. 256 feedbacks that decay to denormal numbers soon after the input falls silent, and stay there:
// slow wherever the host does not flush them to zero.
#define OWN 256
#include "planted.h"

static void run(LV2_Handle handle, uint32_t frames) {
    Planted *planted = handle;
    for (uint32_t i = 0; i < frames; i++) {
        float sum = 0;
        for (int k = 0; k < OWN; k++) {
            planted->own[k] = 0.9f * planted->own[k] + 1e-3f * planted->ports[0][i];
            sum += planted->own[k];
        }
        planted->ports[1][i] = sum / OWN;
    }
}

PLANTED(0, 0)
