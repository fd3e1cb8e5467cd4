// Crashes as soon as its code is loaded.
#include "planted.h"

__attribute__((constructor)) static void crash(void) { *(volatile int *)NULL = 1; }

static void run(LV2_Handle handle, uint32_t frames) { (void)handle, (void)frames; }

PLANTED(0, 0)
