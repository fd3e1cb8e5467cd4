/// For two processes of this program that share memory: the memory, words in it on which a process can wait, and
/// real-time priority. Part of `CPlugins.h`.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Makes memory of `bytes` bytes, all 0, that can be passed to a child. Its size cannot be changed, so that a process
/// that has mapped the memory may access all of it, whatever the other process does. Returns a descriptor, which is
/// closed on exec, or -1 with the reason in errno.
int prc_make_shared_memory(size_t bytes);

/// Maps the memory and loads all its pages. Returns null on failure, with the reason in errno.
void *prc_map_shared_memory(int descriptor, size_t bytes);

/// Wakes one thread that waits on a word of shared memory: one system call, which neither waits nor allocates.
PRC_PLUGIN_REALTIME void prc_wake_waiting(void *word);

/// Waits while a word of shared memory has the value `value`, until woken, at most `milliseconds`. It may return early.
/// An audio thread may call it only offline.
PRC_PLUGIN_REALTIME void prc_wait_while(void *word, uint32_t value, uint32_t milliseconds);

/// Returns the calling thread's real-time priority (SCHED_FIFO or SCHED_RR), or 0: one system call.
PRC_PLUGIN_REALTIME int prc_realtime_priority(void);

/// Sets the calling thread's priority (SCHED_FIFO); its new threads do not inherit it. Returns 0 or an error number.
int prc_take_realtime_priority(int priority);
