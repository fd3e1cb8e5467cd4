// A plugin for tests. What it does beside sounding, its URI says: urn:test:plain, refusing, hanging, hoarding, talking,
// lying. Its sound: the level of its control, plus 10 while it is fired, plus 100 while it is told to run free.
#include <lv2/atom/atom.h>
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *name;
    const float *input, *level, *fire, *free;
    float *output, *shown;
    const LV2_Atom_Sequence *heard;
    LV2_Atom_Sequence *told;
    LV2_URID_Map *map;
    LV2_Log_Log *log;
    LV2_Worker_Schedule *schedule;
    int runs, activations;
    float worked;
} plugin;

static LV2_Handle instantiate(const LV2_Descriptor *descriptor, double rate, const char *path, const LV2_Feature *const *features) {
    (void)rate, (void)path;
    if (!strcmp(descriptor->URI, "urn:test:refusing")) return NULL;
    plugin *self = calloc(1, sizeof *self);
    self->name = descriptor->URI;
    for (; *features; features++) {
        if (!strcmp((*features)->URI, LV2_URID__map)) self->map = (*features)->data;
        if (!strcmp((*features)->URI, LV2_LOG__log)) self->log = (*features)->data;
        if (!strcmp((*features)->URI, LV2_WORKER__schedule)) self->schedule = (*features)->data;
    }
    return self;
}

static void connect_port(LV2_Handle handle, uint32_t port, void *place) {
    plugin *self = handle;
    switch (port) {
    case 0: self->input = place; break;
    case 1: self->output = place; break;
    case 2: self->level = place; break;
    case 3: self->fire = place; break;
    case 4: self->free = place; break;
    case 5: self->shown = place; break;
    case 6: self->heard = place; break;
    case 7: self->told = place; break;
    }
}

static void activate(LV2_Handle handle) { ((plugin *)handle)->activations++; }

static void run(LV2_Handle handle, uint32_t frames) {
    plugin *self = handle;
    self->runs++;
    for (uint32_t i = 0; i < frames; i++) self->output[i] = *self->level + 10 * *self->fire + 100 * *self->free + 1000 * self->worked;
    *self->shown = (float)self->activations;
    if (!strcmp(self->name, "urn:test:talking")) {
        self->log->printf(self->log->handle, self->map->map(self->map->handle, LV2_LOG__Note), "run %d\n", self->runs);
    }
    if (!strcmp(self->name, "urn:test:working") || !strcmp(self->name, "urn:test:hanging")) {
        self->schedule->schedule_work(self->schedule->handle, sizeof self->runs, &self->runs);
    }
    if (!strcmp(self->name, "urn:test:lying")) {
        // A sequence longer than its memory, of events longer than the sequence.
        self->told->atom.type = self->map->map(self->map->handle, LV2_ATOM__Sequence);
        self->told->atom.size = 0xfffffff0u;
        LV2_Atom_Event *event = (LV2_Atom_Event *)(self->told + 1);
        event->body.size = self->runs % 2 ? 0xfffffff0u : 8;
        event->body.type = self->map->map(self->map->handle, LV2_ATOM__Object);
    }
}

static void cleanup(LV2_Handle handle) { free(handle); }

static LV2_Worker_Status work(
    LV2_Handle handle, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle to, uint32_t size, const void *data) {
    if (!strcmp(((plugin *)handle)->name, "urn:test:hanging")) {
        for (;;) sleep(1);
    }
    return respond(to, size, data);
}

static LV2_Worker_Status work_response(LV2_Handle handle, uint32_t size, const void *data) {
    int runs;
    if (size != sizeof runs) return LV2_WORKER_ERR_UNKNOWN;
    memcpy(&runs, data, size);
    ((plugin *)handle)->worked = (float)runs;
    return LV2_WORKER_SUCCESS;
}

static LV2_State_Status save(
    LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle to, uint32_t flags, const LV2_Feature *const *features) {
    (void)flags, (void)features;
    plugin *self = handle;
    if (strcmp(self->name, "urn:test:hoarding")) return LV2_STATE_SUCCESS;
    // 2 GB, in pieces of 64 MiB of the same memory.
    const size_t piece = (size_t)64 << 20;
    void *memory = calloc(1, piece);
    LV2_State_Status status = LV2_STATE_SUCCESS;
    for (int i = 0; i < 32 && !status; i++) {
        const char key[] = {'u', 'r', 'n', ':', 'k', (char)('A' + i), 0};
        status = store(
            to, self->map->map(self->map->handle, key), memory, piece, self->map->map(self->map->handle, LV2_ATOM__Chunk),
            LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
    }
    free(memory);
    return status;
}

static LV2_State_Status restore(
    LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle from, uint32_t flags,
    const LV2_Feature *const *features) {
    (void)handle, (void)retrieve, (void)from, (void)flags, (void)features;
    return LV2_STATE_SUCCESS;
}

static const void *extension_data(const char *uri) {
    static const LV2_Worker_Interface worker = {work, work_response, NULL};
    static const LV2_State_Interface state = {save, restore};
    if (!strcmp(uri, LV2_WORKER__interface)) return &worker;
    if (!strcmp(uri, LV2_STATE__interface)) return &state;
    return NULL;
}

#define PLUGIN(name) {"urn:test:" name, instantiate, connect_port, activate, run, NULL, cleanup, extension_data}
static const LV2_Descriptor plugins[] = {PLUGIN("plain"),   PLUGIN("refusing"), PLUGIN("working"), PLUGIN("hanging"),
                                         PLUGIN("talking"), PLUGIN("hoarding"), PLUGIN("lying")};

static const LV2_Descriptor *at(uint32_t index) { return index < sizeof plugins / sizeof *plugins ? &plugins[index] : NULL; }

#if defined(LIBRARY)
static const LV2_Descriptor *get_plugin(LV2_Lib_Handle handle, uint32_t index) {
    (void)handle;
    return at(index);
}
static void end(LV2_Lib_Handle handle) { (void)handle; }
LV2_SYMBOL_EXPORT const LV2_Lib_Descriptor *lv2_lib_descriptor(const char *path, const LV2_Feature *const *features) {
    (void)path, (void)features;
    static const LV2_Lib_Descriptor library = {NULL, sizeof library, end, get_plugin};
#if LIBRARY
    return &library;
#else
    (void)library;
    return NULL;
#endif
}
#elif !defined(NO_DESCRIPTOR)
LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) { return at(index); }
#else
LV2_SYMBOL_EXPORT const void *other(void) { return at(0); }
#endif
