/// Functions for plugins that Swift cannot express: variadic functions of the log, calls on the audio thread, the check
/// of Turtle files, semaphores, and memory shared with a process.
#pragma once
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/worker/worker.h>
#include <stddef.h>
#include <stdint.h>

#define PRC_PLUGIN_REALTIME __attribute__((swift_attr("@_noLocks")))

#include "Shared.h"

/// Receives one line that a plugin wrote: `context` belongs to the host, `type` is the number of the kind, and `text`
/// is valid during the call. Called on any thread of the plugin, even on the audio thread.
typedef void (*prc_plugin_log_line)(void *context, uint32_t type, const char *text);

/// Data of the feature lv2:log for a plugin. Formats what the plugin writes, cut at 511 bytes, and passes it to `line`.
/// `log` must outlive the plugin.
typedef struct {
    LV2_Log_Log log;
    prc_plugin_log_line line;
    void *context;
} prc_plugin_log;

/// Prepares `log` to pass its lines to `line`.
void prc_plugin_log_begin(prc_plugin_log *log, prc_plugin_log_line line, void *context);

// Functions of the plugin for the audio thread. The annotation cannot be checked: a plugin may lock or allocate.

/// Runs an instance for `frames` frames.
PRC_PLUGIN_REALTIME static inline void prc_lv2_run(const LV2_Descriptor *plugin, LV2_Handle instance, uint32_t frames) {
    plugin->run(instance, frames);
}

/// Deactivates and activates an instance, which clears its signal memory. Only offline, because a plugin may allocate.
PRC_PLUGIN_REALTIME static inline void prc_lv2_restart(const LV2_Descriptor *plugin, LV2_Handle instance) {
    if (plugin->deactivate) plugin->deactivate(instance);
    if (plugin->activate) plugin->activate(instance);
}

/// Passes a response of the worker to an instance.
PRC_PLUGIN_REALTIME static inline void prc_lv2_work_response(
    const LV2_Worker_Interface *worker, LV2_Handle instance, uint32_t size, const void *body) {
    worker->work_response(instance, size, body);
}

/// Informs an instance that all responses of this call have been passed, if the plugin has this function.
PRC_PLUGIN_REALTIME static inline void prc_lv2_end_run(const LV2_Worker_Interface *worker, LV2_Handle instance) {
    if (worker->end_run) worker->end_run(instance);
}

/// Lets an instance do a piece of work, which may take long. Not on an audio thread with a deadline.
PRC_PLUGIN_REALTIME static inline void prc_lv2_work(
    const LV2_Worker_Interface *worker, LV2_Handle instance, LV2_Worker_Respond_Function respond, void *handle,
    uint32_t size, const void *body) {
    worker->work(instance, respond, handle, size, body);
}

// No header of the system may be included here: its types would count as types of this module.

/// Wakes the thread that waits for `bell`, a `sem_t`; neither waits nor allocates.
PRC_PLUGIN_REALTIME void prc_ring_bell(void *bell);

/// Waits until `prc_ring_bell` wakes `bell`, a `sem_t`, at most `milliseconds`.
void prc_wait_for_bell(void *bell, uint32_t milliseconds);

/// Reads a Turtle file to its end. Returns 0 if it is valid, -1 if it cannot be opened, or else the line of the first
/// fault (1 if unknown). `column` and `text` receive the fault's column and message, cut at `size` - 1 bytes.
/// `statements` receives the number of statements up to the fault or the end.
int prc_check_turtle(const char *path, int *column, char *text, size_t size, ptrdiff_t *statements);
