// Ports: 0 in, 1 out. Passes its input on, and crashes when its state is asked for.
#include "planted.h"
#include <lv2/state/state.h>

static void run(LV2_Handle handle, uint32_t frames) {
    Planted *planted = handle;
    memcpy(planted->ports[1], planted->ports[0], frames * sizeof(float));
}

static LV2_State_Status save(
    LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle state, uint32_t flags,
    const LV2_Feature *const *features) {
    (void)handle, (void)store, (void)state, (void)flags, (void)features;
    *(volatile int *)NULL = 1;
    return LV2_STATE_SUCCESS;
}

static const LV2_State_Interface interface = {save, NULL};
static const void *extension(const char *uri) { return strcmp(uri, LV2_STATE__interface) == 0 ? &interface : NULL; }

PLANTED(0, extension)
