// Ports: 0 in, 1 out, 2 after, 3 milliseconds. Passes its input on, and once, after so many frames, sleeps so long.
#define _POSIX_C_SOURCE 199309L
#include "planted.h"
#include <time.h>

static void run(LV2_Handle handle, uint32_t frames) {
    Planted *planted = handle;
    planted->passed += frames;
    if (planted->own[0] == 0 && planted->passed > *planted->ports[2]) {
        planted->own[0] = 1;
        const long milliseconds = (long)*planted->ports[3];
        nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000L}, NULL);
    }
    memcpy(planted->ports[1], planted->ports[0], frames * sizeof(float));
}

PLANTED(0, 0)
