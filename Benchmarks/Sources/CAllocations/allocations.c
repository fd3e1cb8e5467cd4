// Replaces glibc's allocator functions by counting ones that call glibc's.
#include "CAllocations.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static __thread uint64_t allocations;
static _Atomic int64_t in_use;

static void *counted(void *memory) {
    allocations++;
    if (memory) atomic_fetch_add_explicit(&in_use, (int64_t)malloc_usable_size(memory), memory_order_relaxed);
    return memory;
}

static void returned(void *memory) {
    if (memory) atomic_fetch_sub_explicit(&in_use, (int64_t)malloc_usable_size(memory), memory_order_relaxed);
}

uint64_t bench_allocations(void) { return allocations; }
void bench_return_free_pages(void) { malloc_trim(0); }
int64_t bench_bytes_in_use(void) { return atomic_load_explicit(&in_use, memory_order_relaxed); }

void *malloc(size_t size) { return counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }
void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
    void *found = counted(__libc_memalign(alignment, size));
    if (!found) return ENOMEM;
    *memory = found;
    return 0;
}

void *realloc(void *memory, size_t size) {
    size_t before = memory ? malloc_usable_size(memory) : 0;
    void *found = __libc_realloc(memory, size);
    // If the allocation fails, the old block stays valid.
    if (!found && size) return NULL;
    allocations++;
    int64_t change = (int64_t)(found ? malloc_usable_size(found) : 0) - (int64_t)before;
    atomic_fetch_add_explicit(&in_use, change, memory_order_relaxed);
    return found;
}

void free(void *memory) {
    returned(memory);
    __libc_free(memory);
}
