/// Functions for the audio thread that cannot be written in Swift: mathematical functions with annotations, denormal
/// numbers, clocks, and the probe for RealtimeSanitizer. Functions marked `PRC_REALTIME` neither lock nor allocate,
/// with the exceptions stated below.
#pragma once
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define PRC_REALTIME __attribute__((swift_attr("@_noLocks")))

// Functions of libm use no lock and no heap. The annotation states this to the Swift compiler.
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

/// Sets the calling thread to flush denormal numbers to zero (x86: FTZ and DAZ). Cost: one write of a control register.
PRC_REALTIME void prc_flush_denormals(void);

/// Returns the monotonic clock, nanoseconds (CLOCK_MONOTONIC; on Linux by the vDSO, without a system call).
PRC_REALTIME uint64_t prc_monotonic_nanoseconds(void);

/// Returns the processor's time-stamp counter on x86-64, and the monotonic clock in nanoseconds on other processors.
PRC_REALTIME uint64_t prc_cycles(void);

/// Yields the processor to other threads. Only for a freewheeling or offline audio thread that waits for a thread that
/// reads or writes files.
PRC_REALTIME void prc_yield(void);

/// Suspends the calling thread. Never on an audio thread with a deadline.
PRC_REALTIME void prc_sleep_microseconds(uint32_t microseconds);

/// Copies `count` bytes. The regions must not overlap.
PRC_REALTIME void prc_copy(void *destination, const void *source, size_t count);

/// Sets `count` bytes to zero.
PRC_REALTIME void prc_zero(void *destination, size_t count);

/// Ends the program with a message on standard error that contains `what`, the index and its upper bound (exclusive).
/// For debug builds, on any thread.
PRC_REALTIME _Noreturn void prc_out_of_bounds(const uint8_t *what, ptrdiff_t index, ptrdiff_t bound);

/// Bits of the mode in which a plugin runs.
enum {
    /// The call has no deadline. The plugin completes all its work before it returns.
    PRC_PLUGIN_OFFLINE = 1,
    /// Requests to the plugin wait for a later call, because linked instances are receiving the same requests now.
    PRC_PLUGIN_DEAF = 2,
};
/// Runs a plugin for `frames` frames. `run` is a function of the plugin's host, `context` is one instance, and `mode`
/// consists of the bits above. The annotation cannot be checked: the plugin itself may lock or allocate.
typedef void (*prc_plugin_run)(void *context, uint32_t frames, int mode);
PRC_REALTIME static inline void prc_run_plugin(prc_plugin_run run, void *context, uint32_t frames, int mode) {
    run(context, frames, mode);
}
/// Resets a plugin to its initial state. Called offline only, because a plugin may allocate memory here.
typedef void (*prc_plugin_restart)(void *context);
PRC_REALTIME static inline void prc_restart_plugin(prc_plugin_restart restart, void *context) { restart(context); }

/// Names the calling thread for debuggers and `top -H`. Longer names are cut to 15 bytes.
void prc_name_thread(const char *name);

/// Returns free memory of the heap to the system, as far as the allocator supports it. Takes some milliseconds; never
/// on the audio thread.
void prc_return_memory(void);

/// Makes the allocator request every large block from the system, and return it to the system when it is freed. By
/// default, after the first large block has been freed, glibc allocates blocks of that size from its heaps. Renderers
/// for several sample rates, prepared one after the other, then leave holes in the heaps, up to a hundred megabytes in
/// total. Call it before any other thread is started.
void prc_settle_memory(void);

/// Enters the section that RealtimeSanitizer observes. Does nothing unless the sanitizer is linked.
PRC_REALTIME void prc_realtime_probe_enter(void);

/// Leaves the section that RealtimeSanitizer observes.
PRC_REALTIME void prc_realtime_probe_exit(void);

/// Returns 1 if RealtimeSanitizer is linked into this program, and 0 otherwise. Initialises the sanitizer.
int prc_realtime_probe_is_linked(void);
