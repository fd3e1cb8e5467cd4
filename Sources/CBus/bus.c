#define _GNU_SOURCE
#include "CBus.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

// The macros for tables of methods refer to this constant of libsystemd. It is weak, because libsystemd is not linked.
// sd-bus does not read its value.
extern const unsigned sd_bus_object_vtable_format __attribute__((weak));

#define FUNCTIONS(X)                                                                                                    \
    X(sd_bus_open_user) X(sd_bus_set_method_call_timeout) X(sd_bus_request_name) X(sd_bus_add_object_vtable)             \
    X(sd_bus_process) X(sd_bus_get_fd) X(sd_bus_get_events) X(sd_bus_get_timeout) X(sd_bus_flush_close_unref)            \
    X(sd_bus_emit_signal) X(sd_bus_emit_properties_changed_strv) X(sd_bus_reply_method_return) X(sd_bus_error_set)       \
    X(sd_bus_message_read) X(sd_bus_message_append) X(sd_bus_message_open_container) X(sd_bus_message_close_container)

#define DECLARE(name) __typeof__(&name) name;
static struct { FUNCTIONS(DECLARE) } api;

static const char *const path = "/org/mpris/MediaPlayer2";
static const char *const root = "org.mpris.MediaPlayer2";
static const char *const player_interface = "org.mpris.MediaPlayer2.Player";

/// Longest wait for an answer of the bus, microseconds. The bus may be slow on a busy machine.
static const uint64_t patience = 20 * 1000 * 1000;

struct pcb_player {
    char status[16], loop[16], track[64], title[512], url[4096];
    int64_t position, length;
    double volume;
    bool can_go_next, can_go_previous, can_seek;
};

struct pcb_bus {
    sd_bus *bus;
    const pcb_door *door;
    char identity[64];
};

const char *pcb_load(void) {
    static void *library;
    if (library) return NULL;
    void *opened = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!opened) return "libsystemd.so.0 cannot be loaded";
#define RESOLVE(name)                                                                                                   \
    api.name = (__typeof__(&name))dlsym(opened, #name);                                                                 \
    if (!api.name) {                                                                                                    \
        dlclose(opened);                                                                                                \
        return "libsystemd.so.0 has no " #name;                                                                         \
    }
    FUNCTIONS(RESOLVE)
    library = opened;
    return NULL;
}

void pcb_copy(char *to, size_t size, const char *text) {
    size_t length = strlen(text);
    if (length >= size) {
        length = size - 1;
        // A byte that continues a UTF-8 character begins with the bits 10.
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
    }
    memcpy(to, text, length);
    to[length] = 0;
}

void pcb_put(pcb_player *player, pcb_text field, const char *text) {
    switch (field) {
    case PCB_STATUS_WORD: pcb_copy(player->status, sizeof player->status, text); break;
    case PCB_LOOP_WORD: pcb_copy(player->loop, sizeof player->loop, text); break;
    case PCB_TRACK: pcb_copy(player->track, sizeof player->track, text); break;
    case PCB_TITLE: pcb_copy(player->title, sizeof player->title, text); break;
    case PCB_URL: pcb_copy(player->url, sizeof player->url, text); break;
    }
}

void pcb_put_numbers(
    pcb_player *player, int64_t position, int64_t length, double volume, bool can_go_next, bool can_go_previous, bool can_seek) {
    player->position = position;
    player->length = length;
    player->volume = volume;
    player->can_go_next = can_go_next;
    player->can_go_previous = can_go_previous;
    player->can_seek = can_seek;
}

// Requests of clients. sd-bus has checked the signature, that texts are UTF-8, and that object paths are valid.

static int refuse(sd_bus_error *error, const char *reason) {
    return api.sd_bus_error_set(error, "org.freedesktop.DBus.Error.Failed", reason);
}

/// Passes a request to the player. Returns 0, or a negative value if the player refuses it.
static int take(pcb_bus *bus, pcb_request request, int64_t offset, double number, const char *text, sd_bus_error *error) {
    char reason[512] = "";
    const bool is_done = bus->door->take(bus->door->context, request, offset, number, text, reason, sizeof reason);
    return is_done ? 0 : refuse(error, reason);
}

/// Defines a method without arguments.
#define PLAIN(name, request)                                                                                            \
    static int name(sd_bus_message *message, void *context, sd_bus_error *error) {                                      \
        const int taken = take(context, request, 0, 0, "", error);                                                      \
        return taken < 0 ? taken : api.sd_bus_reply_method_return(message, "");                                         \
    }
PLAIN(quit, PCB_QUIT)
PLAIN(next, PCB_NEXT)
PLAIN(previous, PCB_PREVIOUS)
PLAIN(hold, PCB_PAUSE)
PLAIN(play_pause, PCB_PLAY_PAUSE)
PLAIN(stop, PCB_STOP)
PLAIN(play, PCB_PLAY)

static int raise_window(sd_bus_message *message, void *context, sd_bus_error *error) {
    (void)message, (void)context;
    return refuse(error, "there is no window to raise");
}

static int open_uri(sd_bus_message *message, void *context, sd_bus_error *error) {
    (void)message, (void)context;
    return refuse(error, "the files are those that were named at the start");
}

static int seek(sd_bus_message *message, void *context, sd_bus_error *error) {
    int64_t offset = 0;
    const int read = api.sd_bus_message_read(message, "x", &offset);
    if (read < 0) return read;
    const int taken = take(context, PCB_SEEK, offset, 0, "", error);
    return taken < 0 ? taken : api.sd_bus_reply_method_return(message, "");
}

static int set_position(sd_bus_message *message, void *context, sd_bus_error *error) {
    const char *track = NULL;
    int64_t position = 0;
    const int read = api.sd_bus_message_read(message, "ox", &track, &position);
    if (read < 0) return read;
    const int taken = take(context, PCB_SET_POSITION, position, 0, track, error);
    return taken < 0 ? taken : api.sd_bus_reply_method_return(message, "");
}

// Properties.

static int append_metadata(sd_bus_message *reply, const pcb_player *now) {
    int done = api.sd_bus_message_open_container(reply, 'a', "{sv}");
    if (done >= 0) done = api.sd_bus_message_append(reply, "{sv}", "mpris:trackid", "o", now->track);
    if (done >= 0) done = api.sd_bus_message_append(reply, "{sv}", "xesam:title", "s", now->title);
    if (done >= 0 && now->length >= 0) done = api.sd_bus_message_append(reply, "{sv}", "mpris:length", "x", now->length);
    if (done >= 0 && now->url[0]) done = api.sd_bus_message_append(reply, "{sv}", "xesam:url", "s", now->url);
    return done < 0 ? done : api.sd_bus_message_close_container(reply);
}

static int get(
    sd_bus *connection, const char *object, const char *interface, const char *name, sd_bus_message *reply, void *context,
    sd_bus_error *error) {
    (void)connection, (void)object, (void)interface, (void)error;
    const pcb_bus *bus = context;
    pcb_player now;
    memset(&now, 0, sizeof now);
    bus->door->tell(bus->door->context, &now);
    if (!strcmp(name, "PlaybackStatus")) return api.sd_bus_message_append(reply, "s", now.status);
    if (!strcmp(name, "LoopStatus")) return api.sd_bus_message_append(reply, "s", now.loop);
    if (!strcmp(name, "Metadata")) return append_metadata(reply, &now);
    if (!strcmp(name, "Volume")) return api.sd_bus_message_append(reply, "d", now.volume);
    if (!strcmp(name, "Position")) return api.sd_bus_message_append(reply, "x", now.position);
    if (!strcmp(name, "CanGoNext")) return api.sd_bus_message_append(reply, "b", (int)now.can_go_next);
    if (!strcmp(name, "CanGoPrevious")) return api.sd_bus_message_append(reply, "b", (int)now.can_go_previous);
    return api.sd_bus_message_append(reply, "b", (int)now.can_seek);
}

static int get_fixed(
    sd_bus *connection, const char *object, const char *interface, const char *name, sd_bus_message *reply, void *context,
    sd_bus_error *error) {
    (void)connection, (void)object, (void)interface, (void)error;
    const pcb_bus *bus = context;
    if (!strcmp(name, "Identity")) return api.sd_bus_message_append(reply, "s", bus->identity);
    if (strstr(name, "Supported") == name) return api.sd_bus_message_append(reply, "as", 0);
    if (strstr(name, "Rate")) return api.sd_bus_message_append(reply, "d", 1.0);
    const bool is_not = !strcmp(name, "CanRaise") || !strcmp(name, "HasTrackList");
    return api.sd_bus_message_append(reply, "b", is_not ? 0 : 1);
}

static int set(
    sd_bus *connection, const char *object, const char *interface, const char *name, sd_bus_message *value, void *context,
    sd_bus_error *error) {
    (void)connection, (void)object, (void)interface;
    if (!strcmp(name, "LoopStatus")) {
        const char *word = NULL;
        const int read = api.sd_bus_message_read(value, "s", &word);
        if (read < 0) return read;
        return take(context, PCB_SET_LOOP, 0, 0, word, error);
    }
    double number = 0;
    const int read = api.sd_bus_message_read(value, "d", &number);
    if (read < 0) return read;
    if (!strcmp(name, "Rate")) return number == 1 ? 0 : refuse(error, "only rate 1 is supported");
    return take(context, PCB_SET_VOLUME, 0, number, "", error);
}

#define METHOD(name, takes, names, handler) \
    SD_BUS_METHOD_WITH_NAMES(name, takes, names, "", "", handler, SD_BUS_VTABLE_UNPRIVILEGED)
#define CHANGING SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE
#define CHANGING_SET (SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE | SD_BUS_VTABLE_UNPRIVILEGED)

static const sd_bus_vtable root_table[] = {
    SD_BUS_VTABLE_START(0),
    METHOD("Raise", "", "", raise_window),
    METHOD("Quit", "", "", quit),
    SD_BUS_PROPERTY("CanQuit", "b", get_fixed, 0, SD_BUS_VTABLE_PROPERTY_CONST),
    SD_BUS_PROPERTY("CanRaise", "b", get_fixed, 0, SD_BUS_VTABLE_PROPERTY_CONST),
    SD_BUS_PROPERTY("HasTrackList", "b", get_fixed, 0, SD_BUS_VTABLE_PROPERTY_CONST),
    SD_BUS_PROPERTY("Identity", "s", get_fixed, 0, SD_BUS_VTABLE_PROPERTY_CONST),
    SD_BUS_PROPERTY("SupportedUriSchemes", "as", get_fixed, 0, SD_BUS_VTABLE_PROPERTY_CONST),
    SD_BUS_PROPERTY("SupportedMimeTypes", "as", get_fixed, 0, SD_BUS_VTABLE_PROPERTY_CONST),
    SD_BUS_VTABLE_END,
};

static const sd_bus_vtable player_table[] = {
    SD_BUS_VTABLE_START(0),
    METHOD("Next", "", "", next),
    METHOD("Previous", "", "", previous),
    METHOD("Pause", "", "", hold),
    METHOD("PlayPause", "", "", play_pause),
    METHOD("Stop", "", "", stop),
    METHOD("Play", "", "", play),
    METHOD("Seek", "x", SD_BUS_PARAM(Offset), seek),
    METHOD("SetPosition", "ox", SD_BUS_PARAM(TrackId) SD_BUS_PARAM(Position), set_position),
    METHOD("OpenUri", "s", SD_BUS_PARAM(Uri), open_uri),
    SD_BUS_SIGNAL_WITH_NAMES("Seeked", "x", SD_BUS_PARAM(Position), 0),
    SD_BUS_PROPERTY("PlaybackStatus", "s", get, 0, CHANGING),
    SD_BUS_WRITABLE_PROPERTY("LoopStatus", "s", get, set, 0, CHANGING_SET),
    SD_BUS_WRITABLE_PROPERTY("Rate", "d", get_fixed, set, 0, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_PROPERTY("Metadata", "a{sv}", get, 0, CHANGING),
    SD_BUS_WRITABLE_PROPERTY("Volume", "d", get, set, 0, CHANGING_SET),
    SD_BUS_PROPERTY("Position", "x", get, 0, 0),
    SD_BUS_PROPERTY("MinimumRate", "d", get_fixed, 0, SD_BUS_VTABLE_PROPERTY_CONST),
    SD_BUS_PROPERTY("MaximumRate", "d", get_fixed, 0, SD_BUS_VTABLE_PROPERTY_CONST),
    SD_BUS_PROPERTY("CanGoNext", "b", get, 0, CHANGING),
    SD_BUS_PROPERTY("CanGoPrevious", "b", get, 0, CHANGING),
    SD_BUS_PROPERTY("CanPlay", "b", get_fixed, 0, SD_BUS_VTABLE_PROPERTY_CONST),
    SD_BUS_PROPERTY("CanPause", "b", get_fixed, 0, SD_BUS_VTABLE_PROPERTY_CONST),
    SD_BUS_PROPERTY("CanSeek", "b", get, 0, CHANGING),
    SD_BUS_PROPERTY("CanControl", "b", get_fixed, 0, SD_BUS_VTABLE_PROPERTY_CONST),
    SD_BUS_VTABLE_END,
};

// The connection.

int pcb_open(pcb_bus **opened, const char *name, const char *identity, const pcb_door *door) {
    pcb_bus *bus = calloc(1, sizeof *bus);
    if (!bus) return -ENOMEM;
    bus->door = door;
    pcb_copy(bus->identity, sizeof bus->identity, identity);
    char full[256];
    snprintf(full, sizeof full, "%s.%s", root, name);
    int done = api.sd_bus_open_user(&bus->bus);
    if (done >= 0) done = api.sd_bus_set_method_call_timeout(bus->bus, patience);
    if (done >= 0) done = api.sd_bus_add_object_vtable(bus->bus, NULL, path, root, root_table, bus);
    if (done >= 0) done = api.sd_bus_add_object_vtable(bus->bus, NULL, path, player_interface, player_table, bus);
    if (done >= 0) done = api.sd_bus_request_name(bus->bus, full, 0);
    if (done < 0) {
        pcb_close(bus);
        return done;
    }
    *opened = bus;
    return 0;
}

int pcb_process(pcb_bus *bus) {
    int done;
    do done = api.sd_bus_process(bus->bus, NULL);
    while (done > 0);
    return done;
}

int pcb_wait(pcb_bus *bus, int bell) {
    const int descriptor = api.sd_bus_get_fd(bus->bus), events = api.sd_bus_get_events(bus->bus);
    if (descriptor < 0) return descriptor;
    if (events < 0) return events;
    uint64_t until = UINT64_MAX;
    const int timed = api.sd_bus_get_timeout(bus->bus, &until);
    if (timed < 0) return timed;
    int milliseconds = -1;
    if (until != UINT64_MAX) {
        struct timespec time;
        clock_gettime(CLOCK_MONOTONIC, &time);
        const uint64_t now = (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
        const uint64_t left = until > now ? (until - now) / 1000 + 1 : 0;
        milliseconds = left > 60000 ? 60000 : (int)left;
    }
    struct pollfd places[] = {{.fd = descriptor, .events = (short)events}, {.fd = bell, .events = POLLIN}};
    if (poll(places, 2, milliseconds) < 0) return errno == EINTR ? 0 : -errno;
    if (places[1].revents) {
        uint64_t rings;
        if (read(bell, &rings, sizeof rings) < 0 && errno != EAGAIN) return -errno;
    }
    return 0;
}

int pcb_changed(pcb_bus *bus, int changes) {
    char *names[8];
    size_t count = 0;
    if (changes & PCB_STATUS) names[count++] = "PlaybackStatus";
    if (changes & PCB_LOOP) names[count++] = "LoopStatus";
    if (changes & PCB_METADATA) names[count++] = "Metadata";
    if (changes & PCB_VOLUME) names[count++] = "Volume";
    if (changes & PCB_ABILITIES) {
        names[count++] = "CanGoNext";
        names[count++] = "CanGoPrevious";
        names[count++] = "CanSeek";
    }
    names[count] = NULL;
    return count ? api.sd_bus_emit_properties_changed_strv(bus->bus, path, player_interface, names) : 0;
}

int pcb_seeked(pcb_bus *bus, int64_t position) {
    return api.sd_bus_emit_signal(bus->bus, path, player_interface, "Seeked", "x", position);
}

void pcb_close(pcb_bus *bus) {
    if (bus->bus) api.sd_bus_flush_close_unref(bus->bus);
    free(bus);
}
