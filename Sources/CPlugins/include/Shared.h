/// What two processes of ours need that share memory: the memory, words in it on which one waits for the other, and a priority.
/// Part of `CPlugins.h`.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Makes memory of so many bytes, all 0, that can be passed to a child; it cannot be made longer or shorter any more, so that
/// a process that has mapped it may touch all of it whatever the other does. Its descriptor, closed where another program begins; or -1
/// with the reason in errno.
int prc_make_shared_memory(size_t bytes);

/// Maps all of it, its pages at hand; null with the reason in errno.
void *prc_map_shared_memory(int descriptor, size_t bytes);

/// Wakes the threads that wait on a word of shared memory: one system call, which neither waits nor allocates.
PRC_PLUGIN_REALTIME void prc_wake_waiting(void *word);

/// Waits on a word of shared memory while it holds `value`, until woken or `milliseconds` are over; it may also return early. On
/// an audio thread only offline.
PRC_PLUGIN_REALTIME void prc_wait_while(void *word, uint32_t value, uint32_t milliseconds);

/// The calling thread's real-time priority (SCHED_FIFO or SCHED_RR), 0 where it has none: one system call.
PRC_PLUGIN_REALTIME int prc_realtime_priority(void);

/// Gives the calling thread a real-time priority (SCHED_FIFO), which threads that it begins do not inherit. 0, or the system's error number.
int prc_take_realtime_priority(int priority);
