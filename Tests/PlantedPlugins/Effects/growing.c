// Ports: 0 in, 1 out. Feedback above 1: what once came in doubles every 700 frames or so, without bound.
#include "planted.h"

static void run(LV2_Handle handle, uint32_t frames) {
    Planted *planted = handle;
    for (uint32_t i = 0; i < frames; i++) {
        planted->own[0] = 1.001f * planted->own[0] + planted->ports[0][i];
        planted->ports[1][i] = planted->own[0];
    }
}

PLANTED(0, 0)
