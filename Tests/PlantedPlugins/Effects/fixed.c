// Ports: 0 in, 1 out, 2 kept. Asks its host for blocks of one length and looks whether it gets them: `kept` is 1 as
// long as every block had the length that the options name as least and greatest, and 0 ever after one had another. No
// options: 0.
#include "planted.h"
#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/options/options.h>
#include <lv2/urid/urid.h>

static int begin(Planted *planted, const LV2_Feature *const *features) {
    const LV2_URID_Map *map = feature(features, LV2_URID__map);
    const LV2_Options_Option *option = feature(features, LV2_OPTIONS__options);
    int32_t least = 0, most = -1;
    for (; map && option && option->key; option++) {
        if (option->key == map->map(map->handle, LV2_BUF_SIZE__minBlockLength)) least = *(const int32_t *)option->value;
        if (option->key == map->map(map->handle, LV2_BUF_SIZE__maxBlockLength)) most = *(const int32_t *)option->value;
    }
    planted->own[0] = least == most ? (float)least : 0;
    return 1;
}

static void run(LV2_Handle handle, uint32_t frames) {
    Planted *planted = handle;
    if (planted->own[0] != (float)frames) planted->own[0] = 0;
    *planted->ports[2] = planted->own[0] > 0;
    memcpy(planted->ports[1], planted->ports[0], frames * sizeof(float));
}

PLANTED(begin, 0)
