// Small JACK clients for tests, independent of the program's own code: a player, a recorder, a delay that reports its
// latency, and switches of the server. Frames are the server's frame clock throughout.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <jack/jack.h>
#include <jack/midiport.h>
#include <signal.h>
#include <sndfile.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_CHANNELS 64

static jack_client_t *client;
static jack_port_t *ports[MAX_CHANNELS];
static int channels;
static float *sound; // interleaved
static uint32_t frames;
static uint32_t at;
static atomic_int has_at;
static uint32_t cycles_ahead;
static unsigned pause_microseconds;
static atomic_uint chosen, is_chosen, is_done, is_late, is_freewheeling;
static uint32_t latency;

static void die(const char *what) {
    fprintf(stderr, "jack-fixtures: %s\n", what);
    exit(1);
}

static void quiet(const char *message) { (void)message; }

static void open_client(const char *name) {
    jack_set_error_function(quiet);
    jack_set_info_function(quiet);
    // A server that changes its period, or is held up by other processes, may refuse a client; for ten seconds it is asked again.
    jack_status_t status = 0;
    for (int attempt = 0; attempt < 100; attempt++) {
        client = jack_client_open(name, JackNoStartServer, &status);
        if (client) return;
        usleep(100000);
    }
    fprintf(stderr, "jack-fixtures: status 0x%x; ", (unsigned)status);
    die("no server");
}

static void say_frame(const char *key, uint32_t frame) {
    printf("%s %" PRIu32 "\n", key, frame);
    fflush(stdout);
}

static void freewheel_changed(int starting, void *argument) {
    (void)argument;
    atomic_store(&is_freewheeling, starting);
}

/// Plays from frame `at` on, or from so many cycles after the first one in freewheel. Until then it slows the
/// freewheeling server down by a pause in each cycle, so that others find the time to get ready.
static int play(jack_nframes_t count, void *argument) {
    (void)argument;
    uint32_t now = jack_last_frame_time(client);
    if (!has_at && atomic_load(&is_freewheeling)) {
        at = now + cycles_ahead * count;
        has_at = 1;
        atomic_store(&chosen, at);
        atomic_store(&is_chosen, 1);
    }
    if (!has_at) at = now + (1u << 30);
    int32_t offset = (int32_t)(now - at); // frame of the sound at this cycle's first frame
    if (offset + (int32_t)count <= 0 && pause_microseconds) usleep(pause_microseconds);
    for (int c = 0; c < channels; c++) {
        float *out = jack_port_get_buffer(ports[c], count);
        for (jack_nframes_t i = 0; i < count; i++) {
            int64_t position = (int64_t)offset + i;
            out[i] = position >= 0 && position < frames ? sound[position * channels + c] : 0;
        }
    }
    // Others may need the frames that follow: half a second of silence.
    if (offset > (int32_t)(frames + 24000)) atomic_store(&is_done, 1);
    return 0;
}

/// Records from frame `at` on, once it is known.
static int record(jack_nframes_t count, void *argument) {
    (void)argument;
    static int seen;
    if (!has_at) return 0;
    uint32_t now = jack_last_frame_time(client);
    int32_t offset = (int32_t)(now - at);
    if (!seen && offset > 0) atomic_store(&is_late, 1);
    seen = 1;
    if (atomic_load(&is_done)) return 0;
    for (int c = 0; c < channels; c++) {
        const float *in = jack_port_get_buffer(ports[c], count);
        for (jack_nframes_t i = 0; i < count; i++) {
            int64_t position = (int64_t)offset + i;
            if (position >= 0 && position < frames) sound[position * channels + c] = in[i];
        }
    }
    if (offset >= (int32_t)frames) atomic_store(&is_done, 1);
    return 0;
}

/// Copies its input to its output.
static int pass(jack_nframes_t count, void *argument) {
    (void)argument;
    memcpy(jack_port_get_buffer(ports[1], count), jack_port_get_buffer(ports[0], count), count * sizeof(float));
    return 0;
}

/// Reports `latency` frames, whatever it does.
static void report(jack_latency_callback_mode_t mode, void *argument) {
    (void)argument;
    jack_latency_range_t range;
    int from = mode == JackCaptureLatency ? 0 : 1;
    jack_port_get_latency_range(ports[from], mode, &range);
    range.min += latency;
    range.max += latency;
    jack_port_set_latency_range(ports[1 - from], mode, &range);
}

/// Connects our ports to a comma-separated list, in order; the last one of a shorter list serves the rest.
static void connect_list(char *list, int are_outputs) {
    char *name = strtok(list, ",");
    for (int c = 0; c < channels && name; c++) {
        const char *mine = jack_port_name(ports[c]);
        int error = are_outputs ? jack_connect(client, mine, name) : jack_connect(client, name, mine);
        if (error != 0 && error != EEXIST) {
            fprintf(stderr, "jack-fixtures: cannot connect %s and %s\n", mine, name);
            exit(1);
        }
        char *next = strtok(NULL, ",");
        if (next) name = next;
    }
}

static void register_ports(int count, const char *prefix, unsigned long flags) {
    channels = count;
    if (count > MAX_CHANNELS) die("too many channels");
    for (int c = 0; c < count; c++) {
        char name[32];
        snprintf(name, sizeof name, "%s_%d", prefix, c + 1);
        if (!(ports[c] = jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, flags, 0))) die("no port left");
    }
}

static const char usage[] =
    "usage: jack-fixtures play FILE --to PORT,... [--at FRAME | --ahead CYCLES [--pause MICROSECONDS]]\n"
    "       (--ahead: sets the server freewheeling, plays that many cycles later, ends freewheel)\n"
    "       jack-fixtures record FILE --from PORT,... --frames N [--at FRAME]   (else the frame is read from stdin)\n"
    "       jack-fixtures delay NAME --latency N [--from PORT] [--to PORT]   until its input ends\n"
    "       jack-fixtures freewheel on|off | period N | clock | latency PORT\n";

/// A Supperware head tracker, a quarter turn to the right: it sends nothing until it is told to, as the real one.
static int track(jack_nframes_t count, void *argument) {
    (void)argument;
    static const unsigned char pose[] = {0xf0, 0, 0x21, 0x42, 0x40, 1, 0x0b, 0x28, 0, 0, 0, 0, 0x74, 0x58, 0xf7};
    static const unsigned char wake[] = {0xf0, 0, 0x21, 0x42, 0, 0};
    static int is_awake;
    void *in = jack_port_get_buffer(ports[0], count), *out = jack_port_get_buffer(ports[1], count);
    jack_midi_clear_buffer(out);
    for (uint32_t i = 0; i < jack_midi_get_event_count(in); i++) {
        jack_midi_event_t event;
        if (jack_midi_event_get(&event, in, i) == 0 && event.size > 6 && !memcmp(event.buffer, wake, 6)) is_awake = 1;
    }
    if (is_awake) jack_midi_event_write(out, count / 2, pose, sizeof pose);
    return 0;
}

int main(int count, char **words) {
    if (count < 2) die(usage);
    const char *what = words[1], *file = count > 2 ? words[2] : "";
    char *to = NULL, *from = NULL;
    for (int i = 3; i + 1 < count; i += 2) {
        char *value = words[i + 1];
        if (!strcmp(words[i], "--to")) to = value;
        else if (!strcmp(words[i], "--from")) from = value;
        else if (!strcmp(words[i], "--at")) at = strtoul(value, NULL, 10), has_at = 1;
        else if (!strcmp(words[i], "--ahead")) cycles_ahead = strtoul(value, NULL, 10);
        else if (!strcmp(words[i], "--pause")) pause_microseconds = strtoul(value, NULL, 10);
        else if (!strcmp(words[i], "--frames")) frames = strtoul(value, NULL, 10);
        else if (!strcmp(words[i], "--latency")) latency = strtoul(value, NULL, 10);
        else die(usage);
    }
    if (!strcmp(what, "play")) {
        SF_INFO info = {0};
        SNDFILE *in = sf_open(file, SFM_READ, &info);
        if (!in) die(sf_strerror(NULL));
        frames = info.frames;
        sound = calloc((size_t)frames * info.channels, sizeof *sound);
        if (sf_readf_float(in, sound, frames) != frames) die("cannot read");
        sf_close(in);
        open_client("generator");
        register_ports(info.channels, "out", JackPortIsOutput);
        jack_set_process_callback(client, play, NULL);
        jack_set_freewheel_callback(client, freewheel_changed, NULL);
        int given = has_at;
        if (jack_activate(client)) die("cannot activate");
        if (to) connect_list(to, 1);
        if (!given) {
            if (jack_set_freewheel(client, 1)) die("no freewheel");
            while (!atomic_load(&is_chosen)) usleep(1000);
            say_frame("at", atomic_load(&chosen));
        } else {
            say_frame("at", at);
        }
        while (!atomic_load(&is_done)) usleep(2000);
        if (!given) jack_set_freewheel(client, 0);
        jack_client_close(client);
    } else if (!strcmp(what, "record")) {
        open_client("recorder");
        if (!from) die(usage);
        int wanted = 1;
        for (const char *c = from; *c; c++) wanted += *c == ',';
        register_ports(wanted, "in", JackPortIsInput);
        sound = calloc((size_t)frames * wanted, sizeof *sound);
        jack_set_process_callback(client, record, NULL);
        if (jack_activate(client)) die("cannot activate");
        connect_list(from, 0);
        printf("armed\n");
        fflush(stdout);
        if (!has_at) {
            char line[32];
            if (!fgets(line, sizeof line, stdin)) die("no frame");
            at = strtoul(line, NULL, 10);
            has_at = 1;
        }
        while (!atomic_load(&is_done)) usleep(2000);
        int rate = jack_get_sample_rate(client);
        jack_client_close(client);
        if (atomic_load(&is_late)) die("the frame had passed");
        SF_INFO info = {.channels = channels, .samplerate = rate, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
        SNDFILE *out = sf_open(file, SFM_WRITE, &info);
        if (!out || sf_writef_float(out, sound, frames) != frames || sf_close(out)) die("cannot write");
    } else if (!strcmp(what, "headtracker")) {
        open_client(file);
        ports[0] = jack_port_register(client, "in", JACK_DEFAULT_MIDI_TYPE, JackPortIsInput, 0);
        ports[1] = jack_port_register(client, "out", JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput, 0);
        jack_set_process_callback(client, track, NULL);
        if (jack_activate(client)) die("cannot activate");
        for (;;) pause();
    } else if (!strcmp(what, "delay")) {
        open_client(file);
        ports[0] = jack_port_register(client, "in", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
        ports[1] = jack_port_register(client, "out", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
        jack_set_process_callback(client, pass, NULL);
        jack_set_latency_callback(client, report, NULL);
        if (jack_activate(client)) die("cannot activate");
        if (from && jack_connect(client, from, jack_port_name(ports[0])) != 0) die("cannot connect input");
        if (to && jack_connect(client, jack_port_name(ports[1]), to) != 0) die("cannot connect output");
        printf("armed\n");
        fflush(stdout);
        while (getchar() != EOF) {}
        jack_client_close(client);
    } else {
        open_client("switch");
        if (!strcmp(what, "freewheel")) {
            if (jack_activate(client) || jack_set_freewheel(client, !strcmp(file, "on"))) die("refused");
        } else if (!strcmp(what, "period")) {
            if (jack_activate(client) || jack_set_buffer_size(client, strtoul(file, NULL, 10))) die("refused");
            printf("period %u\n", jack_get_buffer_size(client));
        } else if (!strcmp(what, "clock")) {
            printf("period %u\nrate %u\nframe %u\n", jack_get_buffer_size(client), jack_get_sample_rate(client),
                jack_frame_time(client));
        } else if (!strcmp(what, "latency")) {
            jack_port_t *port = jack_port_by_name(client, file);
            if (!port) die("no such port");
            jack_latency_range_t capture, playback;
            jack_port_get_latency_range(port, JackCaptureLatency, &capture);
            jack_port_get_latency_range(port, JackPlaybackLatency, &playback);
            printf("capture %u %u\nplayback %u %u\n", capture.min, capture.max, playback.min, playback.max);
        } else {
            die(usage);
        }
        jack_client_close(client);
    }
    return 0;
}
