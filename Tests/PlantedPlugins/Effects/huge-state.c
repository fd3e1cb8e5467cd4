// Ports: 0 in, 1 out. Passes its input on; its state is one block of 2 GB (2³¹ zero bytes).
#include "planted.h"
#include <lv2/atom/atom.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>

static int begin(Planted *planted, const LV2_Feature *const *features) {
    planted->data = feature(features, LV2_URID__map);
    return planted->data != NULL;
}

static void run(LV2_Handle handle, uint32_t frames) {
    Planted *planted = handle;
    memcpy(planted->ports[1], planted->ports[0], frames * sizeof(float));
}

static LV2_State_Status save(
    LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle to, uint32_t flags, const LV2_Feature *const *features) {
    (void)flags, (void)features;
    const LV2_URID_Map *map = ((Planted *)handle)->data;
    const size_t size = (size_t)1 << 31;
    void *block = calloc(size, 1);
    if (!block) return LV2_STATE_ERR_NO_SPACE;
    const LV2_State_Status status = store(
        to, map->map(map->handle, PLANTED_URI "#block"), block, size, map->map(map->handle, LV2_ATOM__Chunk),
        LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
    free(block);
    return status;
}

static LV2_State_Status restore(
    LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle from, uint32_t flags,
    const LV2_Feature *const *features) {
    (void)handle, (void)retrieve, (void)from, (void)flags, (void)features;
    return LV2_STATE_SUCCESS;
}

static const void *extension(const char *uri) {
    static const LV2_State_Interface state = {save, restore};
    return strcmp(uri, LV2_STATE__interface) == 0 ? &state : NULL;
}

PLANTED(begin, extension)
