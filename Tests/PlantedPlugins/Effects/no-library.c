// A library of plugins that offers none: its descriptor is null.
#include <lv2/core/lv2.h>
#include <stddef.h>

LV2_SYMBOL_EXPORT const LV2_Lib_Descriptor *lv2_lib_descriptor(const char *bundle, const LV2_Feature *const *features) {
    (void)bundle, (void)features;
    return NULL;
}
