/// What Swift cannot say to a plugin: its log's variadic functions, its calls on the audio thread, what a reader of
/// Turtle says of a faulty file, two files that change places, and memory shared with a process.
#pragma once
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/worker/worker.h>
#include <stddef.h>
#include <stdint.h>

#define PRC_PLUGIN_REALTIME __attribute__((swift_attr("@_noLocks")))

#include "Shared.h"

/// Takes one line a plugin wrote: `context` is the host's, `type` the kind's number, `text` is valid during the call. Any
/// thread the plugin has, the audio thread included.
typedef void (*prc_plugin_log_line)(void *context, uint32_t type, const char *text);

/// The feature's data for a plugin's log (lv2:log): formats what the plugin writes, cut at 511 bytes, and hands it on.
/// `log` must outlive the plugin.
typedef struct {
    LV2_Log_Log log;
    prc_plugin_log_line line;
    void *context;
} prc_plugin_log;

/// Makes `log` hand its lines to `line`.
void prc_plugin_log_begin(prc_plugin_log *log, prc_plugin_log_line line, void *context);

// The plugin's own functions that belong to the audio thread. Annotated on trust: what a plugin does there is its own.

/// Has an instance make `frames` frames.
PRC_PLUGIN_REALTIME static inline void prc_lv2_run(const LV2_Descriptor *plugin, LV2_Handle instance, uint32_t frames) {
    plugin->run(instance, frames);
}

/// Has an instance begin anew: all it remembers of sound is gone. It may allocate: only offline.
PRC_PLUGIN_REALTIME static inline void prc_lv2_restart(const LV2_Descriptor *plugin, LV2_Handle instance) {
    if (plugin->deactivate) plugin->deactivate(instance);
    if (plugin->activate) plugin->activate(instance);
}

/// Hands an instance an answer of its worker.
PRC_PLUGIN_REALTIME static inline void prc_lv2_work_response(
    const LV2_Worker_Interface *worker, LV2_Handle instance, uint32_t size, const void *body) {
    worker->work_response(instance, size, body);
}

/// Tells an instance that all answers of this call were handed to it, where it wants to know.
PRC_PLUGIN_REALTIME static inline void prc_lv2_end_run(const LV2_Worker_Interface *worker, LV2_Handle instance) {
    if (worker->end_run) worker->end_run(instance);
}

/// Has an instance do a piece of work, which may take its time: not on an audio thread that runs against time.
PRC_PLUGIN_REALTIME static inline void prc_lv2_work(
    const LV2_Worker_Interface *worker, LV2_Handle instance, LV2_Worker_Respond_Function respond, void *handle,
    uint32_t size, const void *body) {
    worker->work(instance, respond, handle, size, body);
}

// No header of the system's own may be included here: its types would be taken for this module's.

/// Wakes the thread that waits for `bell`, a `sem_t`; neither waits nor allocates.
PRC_PLUGIN_REALTIME void prc_ring_bell(void *bell);

/// Waits until `bell`, a `sem_t`, rings, `milliseconds` at most.
void prc_wait_for_bell(void *bell, uint32_t milliseconds);

/// Reads a file of Turtle to its end. Returns 0 where it is sound; else the line of its first fault (1 where it has none), whose
/// column and text, cut at `size` - 1 bytes, are put into `column` and `text`. -1: it cannot be opened. `statements`: those up to
/// the fault or the end.
int prc_check_turtle(const char *path, int *column, char *text, size_t size, ptrdiff_t *statements);
