#include "CPlugins.h"

#include <semaphore.h>
#include <time.h>

void prc_ring_bell(void *bell) { sem_post(bell); }

void prc_wait_for_bell(void *bell, uint32_t milliseconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += milliseconds / 1000;
    until.tv_nsec += (long)(milliseconds % 1000) * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec += 1;
        until.tv_nsec -= 1000000000L;
    }
    sem_timedwait(bell, &until);
}
