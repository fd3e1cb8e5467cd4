// A JACK client that records its ports cycle by cycle, with the server's frame clock and the system's monotonic clock,
// and writes the recording at its end (SIGTERM). A cycle neither allocates, locks nor writes a file.
//
// usage: handover_ear NAME FILE SECONDS PORT...
//
// FILE: one line of text, "cycles C frames N channels K rate R xruns X\n"; C records of three 64-bit numbers, frame clock, frames,
// microseconds at which the callback was called; K rows of N 32-bit floats.
#include <jack/jack.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { most = 16 };
struct cycle { uint64_t frame, frames, microseconds; };

static jack_client_t *client;
static jack_port_t *ports[most];
static int channels;
static float *rows[most];
static struct cycle *cycles;
static size_t room, cycleRoom;
static volatile size_t frameCount, cycleCount;
static volatile sig_atomic_t xruns, isOver;

static int process(jack_nframes_t frames, void *none) {
    (void)none;
    size_t at = frameCount, number = cycleCount;
    if (isOver || at + frames > room || number >= cycleRoom) return 0;
    cycles[number] = (struct cycle){jack_last_frame_time(client), frames, jack_get_time()};
    for (int k = 0; k < channels; k++) {
        const float *sound = jack_port_get_buffer(ports[k], frames);
        if (sound) memcpy(rows[k] + at, sound, frames * sizeof(float));
        else memset(rows[k] + at, 0, frames * sizeof(float));
    }
    frameCount = at + frames;
    cycleCount = number + 1;
    return 0;
}

static int xrun(void *none) {
    (void)none;
    xruns++;
    return 0;
}

static void *block(size_t bytes) {
    void *found = calloc(1, bytes);
    if (!found) exit(1);
    // Touches and locks all pages, so that none is first used in a cycle.
    memset(found, 0, bytes);
    mlock(found, bytes);
    return found;
}

int main(int count, char **words) {
    if (count < 5 || count - 4 > most) return 2;
    sigset_t end;
    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    sigprocmask(SIG_BLOCK, &end, NULL);
    client = jack_client_open(words[1], JackNoStartServer, NULL);
    if (!client) return 1;
    channels = count - 4;
    jack_nframes_t rate = jack_get_sample_rate(client);
    room = (size_t)(atof(words[3]) * rate);
    cycleRoom = room / 16 + 1;
    cycles = block(cycleRoom * sizeof *cycles);
    for (int k = 0; k < channels; k++) {
        char name[16];
        snprintf(name, sizeof name, "in_%d", k + 1);
        rows[k] = block(room * sizeof(float));
        ports[k] = jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
        if (!ports[k]) return 1;
    }
    jack_set_process_callback(client, process, NULL);
    jack_set_xrun_callback(client, xrun, NULL);
    if (jack_activate(client)) return 1;
    for (int k = 0; k < channels; k++)
        if (strcmp(words[4 + k], "-") && jack_connect(client, words[4 + k], jack_port_name(ports[k]))) return 1;
    puts("listens");
    fflush(stdout);
    int number;
    sigwait(&end, &number);
    isOver = 1;
    usleep(400000);
    FILE *file = fopen(words[2], "wb");
    if (!file) return 1;
    fprintf(file, "cycles %zu frames %zu channels %d rate %u xruns %d\n", cycleCount, frameCount, channels, rate, (int)xruns);
    fwrite(cycles, sizeof *cycles, cycleCount, file);
    for (int k = 0; k < channels; k++) fwrite(rows[k], sizeof(float), frameCount, file);
    // Exits with the client open, because PipeWire's library may block for ever when a client is closed.
    _exit(fclose(file) == 0 ? 0 : 1);
}
