/// Counts what a program allocates, by standing in for the C library's allocator.
///
/// Linking this target replaces malloc, calloc, realloc, free, aligned_alloc, memalign and posix_memalign of the whole
/// program by counting ones that hand on to glibc's. Counters are per thread; only the bytes in use are for all.
#pragma once
#include <stdint.h>

/// Allocations of the calling thread since it began (a realloc counts as one).
uint64_t bench_allocations(void);

/// Bytes in use by the whole program, as the allocator rounds them.
int64_t bench_bytes_in_use(void);

/// Gives what is free back to the system, as far as whole pages are, so that what is taken next is new to the program.
void bench_return_free_pages(void);
