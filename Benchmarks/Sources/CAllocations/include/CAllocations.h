/// Counts the allocations of a program by replacing the C library's allocator.
///
/// Linking this target replaces malloc, calloc, realloc, free, aligned_alloc, memalign and posix_memalign of the whole
/// program by functions that count and call glibc's. The allocation count is per thread; the bytes in use are of the
/// whole program.
#pragma once
#include <stdint.h>

/// Returns the allocations of the calling thread since its start (a realloc counts as one).
uint64_t bench_allocations(void);

/// Returns the bytes in use by the whole program, as rounded by the allocator.
int64_t bench_bytes_in_use(void);

/// Returns free whole pages to the system, so that later allocations need new pages.
void bench_return_free_pages(void);
