// Ports: 0 in, 1 out, 2 frames (0 to 8191), 3 latency. The output is the input that many frames ago; nothing else.
#define OWN 8192
#include "planted.h"

static void run(LV2_Handle handle, uint32_t frames) {
    Planted *planted = handle;
    const uint64_t delay = (uint64_t)*planted->ports[2] % OWN;
    for (uint32_t i = 0; i < frames; i++) {
        planted->own[planted->passed % OWN] = planted->ports[0][i];
        planted->ports[1][i] = planted->own[(planted->passed + OWN - delay) % OWN];
        planted->passed++;
    }
    *planted->ports[3] = (float)delay;
}

PLANTED(0, 0)
