/// What Swift cannot say on the audio thread: annotated maths, denormals, thread priority, clocks, and the probe
/// for the real-time sanitizer. Everything marked `PRC_REALTIME` neither locks nor allocates.
#pragma once
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define PRC_REALTIME __attribute__((swift_attr("@_noLocks")))

// Maths: libm's functions touch no lock and no heap; the annotation tells Swift so.
PRC_REALTIME static inline double prc_sqrt(double x) { return __builtin_sqrt(x); }
PRC_REALTIME static inline float prc_sqrtf(float x) { return __builtin_sqrtf(x); }
PRC_REALTIME static inline double prc_floor(double x) { return __builtin_floor(x); }
PRC_REALTIME static inline double prc_sin(double x) { return sin(x); }
PRC_REALTIME static inline double prc_cos(double x) { return cos(x); }
PRC_REALTIME static inline double prc_exp(double x) { return exp(x); }
PRC_REALTIME static inline double prc_log(double x) { return log(x); }
PRC_REALTIME static inline double prc_asin(double x) { return asin(x); }
PRC_REALTIME static inline double prc_acos(double x) { return acos(x); }
PRC_REALTIME static inline double prc_atan2(double y, double x) { return atan2(y, x); }

/// Flushes denormal numbers to zero on the calling thread (x86: FTZ and DAZ); cost: one control-register write.
PRC_REALTIME void prc_flush_denormals(void);

/// Monotonic clock in nanoseconds (CLOCK_MONOTONIC, vDSO: no system call on Linux).
PRC_REALTIME uint64_t prc_monotonic_nanoseconds(void);

/// Processor time-stamp counter where there is one, else the monotonic clock.
PRC_REALTIME uint64_t prc_cycles(void);

/// Gives up the processor. Only for a freewheeling or offline audio thread that waits for a file writer.
PRC_REALTIME void prc_yield(void);

/// Sleeps. Only for a freewheeling audio thread that slows the graph down for others.
PRC_REALTIME void prc_sleep_microseconds(uint32_t microseconds);

/// Copies `count` bytes; regions must not overlap.
PRC_REALTIME void prc_copy(void *destination, const void *source, size_t count);

/// Sets `count` bytes to zero.
PRC_REALTIME void prc_zero(void *destination, size_t count);

/// Ends the program with a message on standard error that names `what`, the index and the bound it should be below. For debug
/// builds; any thread.
PRC_REALTIME _Noreturn void prc_out_of_bounds(const uint8_t *what, ptrdiff_t index, ptrdiff_t bound);

/// How a plugin is run: bits.
enum {
    /// It may take its time, and does all its work before it returns.
    PRC_PLUGIN_OFFLINE = 1,
    /// What it is asked for waits for a later call: others that it is linked with are being asked for the same just now.
    PRC_PLUGIN_DEAF = 2,
};
/// Runs a plugin for `frames` frames: `run` is its host's, `context` one instance, `mode` bits of the above. Annotated on
/// trust: what a plugin does on the audio thread is its own.
typedef void (*prc_plugin_run)(void *context, uint32_t frames, int mode);
PRC_REALTIME static inline void prc_run_plugin(prc_plugin_run run, void *context, uint32_t frames, int mode) {
    run(context, frames, mode);
}
/// Has a plugin begin anew, as if just made. Only offline: a plugin may allocate here.
typedef void (*prc_plugin_restart)(void *context);
PRC_REALTIME static inline void prc_restart_plugin(prc_plugin_restart restart, void *context) { restart(context); }

/// Names the calling thread, up to 15 bytes, for debuggers and `top -H`.
void prc_name_thread(const char *name);

/// Gives free memory of the heap back to the system, as far as the allocator can. Milliseconds; never on the audio thread.
void prc_return_memory(void);

/// Has large blocks taken from the system one by one, and given back to it when they are freed, whatever was freed before.
/// glibc would take them from its heaps after the first of their size was freed, and stages of other rates, prepared one
/// after the other, leave holes there that add up to a hundred megabytes. Before other threads there are.
void prc_settle_memory(void);

/// Enters the part that RealtimeSanitizer watches; does nothing unless the sanitizer is linked.
PRC_REALTIME void prc_realtime_probe_enter(void);

/// Leaves the part that RealtimeSanitizer watches.
PRC_REALTIME void prc_realtime_probe_exit(void);

/// 1 if RealtimeSanitizer is linked into this program, else 0. Initialises it.
int prc_realtime_probe_is_linked(void);
