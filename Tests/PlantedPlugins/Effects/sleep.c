// Ports: 0 in, 1 out. Passes its input on, and sleeps for a second at every call.
#include "planted.h"
#include <unistd.h>

static void run(LV2_Handle handle, uint32_t frames) {
    Planted *planted = handle;
    memcpy(planted->ports[1], planted->ports[0], frames * sizeof(float));
    sleep(1);
}

PLANTED(0, 0)
