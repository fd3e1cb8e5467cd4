#define _GNU_SOURCE
#include "CPlugins.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int prc_make_shared_memory(size_t bytes) {
    const int descriptor = memfd_create("plugin", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return -1;
    if (ftruncate(descriptor, (off_t)bytes) == 0 &&
        fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
        return descriptor;
    }
    const int code = errno;
    close(descriptor);
    errno = code;
    return -1;
}

void *prc_map_shared_memory(int descriptor, size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void prc_wake_waiting(void *word) { syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0); }

void prc_wait_while(void *word, uint32_t value, uint32_t milliseconds) {
    const struct timespec time = {.tv_sec = milliseconds / 1000u, .tv_nsec = (long)(milliseconds % 1000u) * 1000000L};
    syscall(SYS_futex, word, FUTEX_WAIT, value, &time, NULL, 0);
}

int prc_realtime_priority(void) {
    // Policies other than SCHED_FIFO and SCHED_RR have priority 0.
    struct sched_param given = {0};
    return sched_getparam(0, &given) == 0 ? given.sched_priority : 0;
}

int prc_take_realtime_priority(int priority) {
    // Threads that a plugin starts do not inherit the priority, because a busy loop in such a thread would keep all
    // other threads from its core.
    const struct sched_param wanted = {.sched_priority = priority};
    return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &wanted) == 0 ? 0 : errno;
}
