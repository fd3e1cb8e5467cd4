// What all planted plugins share. One defines, before it includes this:
//   OWN        floats it keeps, all 0 at first (1 unless said)
// and after it a function `run`, and at the end PLANTED(begin, extension): `begin` looks at the host's features and
// answers whether there is to be an instance, `extension` hands out interfaces; either may be 0. PLANTED_URI comes from
// the compiler's command.
#pragma once
#include <lv2/core/lv2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef OWN
#define OWN 1
#endif

typedef struct {
    float *ports[64]; // as the host connected them
    double rate;      // frames per second
    uint64_t passed;  // frames run so far, counted by `run` where it needs to know
    const void *data; // a feature of the host, kept by `begin`
    float own[OWN];
} Planted;

typedef int (*Begin)(Planted *planted, const LV2_Feature *const *features);

static inline const void *feature(const LV2_Feature *const *features, const char *uri) {
    for (; features && *features; features++) {
        if (strcmp((*features)->URI, uri) == 0) return (*features)->data;
    }
    return NULL;
}

static inline LV2_Handle make(Begin begin, double rate, const LV2_Feature *const *features) {
    Planted *planted = calloc(1, sizeof *planted);
    if (!planted) return NULL;
    planted->rate = rate;
    if (begin && !begin(planted, features)) {
        free(planted);
        return NULL;
    }
    return planted;
}

static void connect(LV2_Handle handle, uint32_t port, void *data) {
    if (port < 64) ((Planted *)handle)->ports[port] = data;
}

#define PLANTED(begin, extension)                                                                                      \
    static LV2_Handle instantiate(                                                                                     \
        const LV2_Descriptor *descriptor, double rate, const char *bundle, const LV2_Feature *const *features) {       \
        (void)descriptor, (void)bundle;                                                                                \
        return make(begin, rate, features);                                                                            \
    }                                                                                                                  \
    static const LV2_Descriptor descriptor = {PLANTED_URI, instantiate, connect, NULL, run, NULL, free, extension};    \
    LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) { return index == 0 ? &descriptor : NULL; }
