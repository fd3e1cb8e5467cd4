// Ports: 0 in, 1 out, 2 after, 3 mode. The plugin passes its input on. After `after` frames it starts one thread for
// each memory area that its process shares with others. The thread overwrites the area without end. `mode` selects the
// fault (the numbers are those of `ExchangeHead`):
//
// 0, 1, 2: the greatest number, the least number, or 0 in all numbers of the child
// 3: random numbers in the first 4096 bytes of the area, which contain the head
// 4: random numbers in the whole area
// 5: `done` is 1000 greater than `written`: more frames processed than were passed to the child
// 6: the greatest number in `latency`
// 7: no memory is overwritten; the lines of the file SCRIBBLE_LINES are written into each pipe that is open for writing
//
// SCRIBBLE_SEED is the seed of the random numbers.
#define OWN 2
#include "planted.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST = 152 / 8, DONE = 160 / 8, LATENCY = 176 / 8, END = 192 / 8 };

typedef struct {
    volatile uint64_t *place;
    size_t words;
    int mode;
} Scribbler;

static void *scribble(void *given) {
    Scribbler *it = given;
    volatile uint64_t *head = it->place;
    const char *seed = getenv("SCRIBBLE_SEED");
    uint64_t state = seed ? strtoull(seed, NULL, 10) | 1 : 0x9e3779b97f4a7c15u;
    const uint64_t greatest = INT64_MAX, least = (uint64_t)INT64_MIN;
    for (;;) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        switch (it->mode) {
        case 0: case 1: case 2:
            for (int i = FIRST; i < END; i++) head[i] = it->mode == 0 ? greatest : it->mode == 1 ? least : 0;
            break;
        case 3: head[(state >> 32) % (4096 / 8)] = state; break;
        case 4: head[(state >> 32) % it->words] = state; break;
        case 5: head[DONE] = head[0] + 1000; break;
        default: head[LATENCY] = greatest;
        }
    }
    return NULL;
}

static void *speak(void *given) {
    (void)given;
    const char *name = getenv("SCRIBBLE_LINES");
    FILE *lines = name ? fopen(name, "r") : NULL;
    char piece[4096];
    for (size_t count; lines && (count = fread(piece, 1, sizeof piece, lines)) > 0;) {
        for (int to = 3; to < 64; to++) {
            struct stat facts;
            const int rights = fcntl(to, F_GETFL);
            if (rights < 0 || (rights & O_ACCMODE) == O_RDONLY || fstat(to, &facts) != 0 || !S_ISFIFO(facts.st_mode)) continue;
            if (write(to, piece, count) < 0) return NULL;
        }
    }
    return NULL;
}

static void begin_scribbling(int mode) {
    pthread_t speaker;
    if (mode == 7) {
        pthread_create(&speaker, NULL, speak, NULL);
        return;
    }
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], rights[8];
    unsigned long start, end;
    while (maps && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx %7s", &start, &end, rights) != 3 || strcmp(rights, "rw-s") != 0) continue;
        Scribbler *it = calloc(1, sizeof *it);
        pthread_t thread;
        *it = (Scribbler){(volatile uint64_t *)start, (end - start) / 8, mode};
        pthread_create(&thread, NULL, scribble, it);
    }
    if (maps) fclose(maps);
}

static void run(LV2_Handle handle, uint32_t frames) {
    Planted *planted = handle;
    planted->passed += frames;
    memcpy(planted->ports[1], planted->ports[0], frames * sizeof(float));
    if (planted->passed <= *planted->ports[2] || planted->own[0] > 0) return;
    planted->own[0] = 1;
    begin_scribbling((int)*planted->ports[3]);
}

PLANTED(0, 0)
