#define _GNU_SOURCE
#include "CRealtime.h"

#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

void prc_flush_denormals(void) {
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040); // FTZ (bit 15) and DAZ (bit 6)
#elif defined(__aarch64__)
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    __asm__ volatile("msr fpcr, %0" : : "r"(fpcr | (1u << 24))); // FZ
#endif
}

uint64_t prc_monotonic_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t prc_cycles(void) {
#if defined(__x86_64__)
    return __rdtsc();
#else
    return prc_monotonic_nanoseconds();
#endif
}

void prc_yield(void) { sched_yield(); }

void prc_sleep_microseconds(uint32_t microseconds) {
    const struct timespec time = {.tv_sec = microseconds / 1000000u, .tv_nsec = (microseconds % 1000000u) * 1000u};
    nanosleep(&time, NULL);
}

void prc_copy(void *destination, const void *source, size_t count) { memcpy(destination, source, count); }
void prc_zero(void *destination, size_t count) { memset(destination, 0, count); }

void prc_out_of_bounds(const uint8_t *what, ptrdiff_t index, ptrdiff_t bound) {
    fprintf(stderr, "memory: %s: index %td is outside 0..<%td\n", (const char *)what, index, bound);
    abort();
}

void prc_name_thread(const char *name) {
    char short_name[16] = {0};
    strncpy(short_name, name, sizeof short_name - 1);
    pthread_setname_np(pthread_self(), short_name);
}

void prc_settle_memory(void) {
#ifdef __GLIBC__
    // This is glibc's initial threshold. Setting it explicitly prevents glibc from raising it.
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
}

void prc_return_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
