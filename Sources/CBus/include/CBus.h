#pragma once
// A media player (MPRIS 2.2) on the session's D-Bus, by sd-bus. libsystemd is opened at run time, so that the program
// also starts on a machine without this library. A connection belongs to one thread.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// State of the player as clients of the bus see it. Texts are UTF-8.
typedef struct pcb_player pcb_player;

/// Texts: status (`Playing`, `Paused` or `Stopped`); loop status (`None` or `Playlist`); object path, title and URL of
/// the track. The URL may be empty.
typedef enum { PCB_STATUS_WORD, PCB_LOOP_WORD, PCB_TRACK, PCB_TITLE, PCB_URL } pcb_text;

/// Sets a text. If it is too long, it is cut between characters: words to 15 bytes, path 63, title 511, URL 4095.
void pcb_put(pcb_player *player, pcb_text field, const char *text);

/// Sets position and length, microseconds (length below 0: unknown), volume (1 is 0 dB), and which requests are
/// possible.
void pcb_put_numbers(
    pcb_player *player, int64_t position, int64_t length, double volume, bool can_go_next, bool can_go_previous, bool can_seek);

/// Copies a text and a final zero into `size` bytes, at least one. A text that is too long is cut between characters.
void pcb_copy(char *to, size_t size, const char *text);

/// Properties whose values changed, as bits.
enum { PCB_STATUS = 1, PCB_LOOP = 2, PCB_METADATA = 4, PCB_VOLUME = 8, PCB_ABILITIES = 16 };

/// Requests of a client of the bus.
typedef enum {
    PCB_QUIT,
    PCB_NEXT,
    PCB_PREVIOUS,
    PCB_PAUSE,
    PCB_PLAY_PAUSE,
    PCB_STOP,
    PCB_PLAY,
    /// `offset`: change of the position, microseconds.
    PCB_SEEK,
    /// `offset`: the position, microseconds; `text`: the track's object path.
    PCB_SET_POSITION,
    /// `number`: the volume.
    PCB_SET_VOLUME,
    /// `text`: the loop status.
    PCB_SET_LOOP,
} pcb_request;

/// Functions of the player, called on the thread of the connection.
typedef struct {
    void *context;
    /// Fills in the present state.
    void (*tell)(void *context, pcb_player *player);
    /// Carries out a request. If it is refused, returns false and writes the reason to `reason`.
    bool (*take)(void *context, pcb_request request, int64_t offset, double number, const char *text, char *reason, size_t size);
} pcb_door;

typedef struct pcb_bus pcb_bus;

/// Opens libsystemd. Returns NULL, or the reason why it cannot be used. May be called on any thread, but not on two at
/// once.
const char *pcb_load(void);

/// Connects to the session's bus as `org.mpris.MediaPlayer2.<name>`. Waits for each answer of the bus, at most 20 s.
/// `identity` is the name shown to the user. `door` must outlive the connection. Returns 0 or −errno.
int pcb_open(pcb_bus **bus, const char *name, const char *identity, const pcb_door *door);

/// Handles all messages that have arrived. Returns 0 or −errno, for example if the connection has ended.
int pcb_process(pcb_bus *bus);

/// Waits for a message of the bus, for `bell` (an eventfd), or for a timeout of sd-bus. Returns 0 or −errno.
int pcb_wait(pcb_bus *bus, int bell);

/// Sends the new values of the properties in `changes` to every client that listens. Returns 0 or −errno.
int pcb_changed(pcb_bus *bus, int changes);

/// Informs clients that playback jumped to this position, microseconds. Returns 0 or −errno.
int pcb_seeked(pcb_bus *bus, int64_t position);

/// Releases the name, closes the connection and frees the memory.
void pcb_close(pcb_bus *bus);
