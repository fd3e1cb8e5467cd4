#pragma once
// A media player (MPRIS 2.2) on the session's D-Bus, by sd-bus. libsystemd is opened at run time, so that the program also starts
// on a machine without it. A connection belongs to one thread.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What the bus is told of the player. Texts are UTF-8.
typedef struct pcb_player pcb_player;

/// The texts: `Playing`, `Paused` or `Stopped`; `None` or `Playlist`; the track's object path, its title, and its URL, empty
/// without one.
typedef enum { PCB_STATUS_WORD, PCB_LOOP_WORD, PCB_TRACK, PCB_TITLE, PCB_URL } pcb_text;

/// Puts in a text, cut between characters where it has no room: the words have 15 bytes, the path 63, the title 511, the URL 4095.
void pcb_put(pcb_player *player, pcb_text field, const char *text);

/// Puts in position and length, microseconds (a length below 0: unknown), the volume (1 is 0 dB), and what can be done.
void pcb_put_numbers(
    pcb_player *player, int64_t position, int64_t length, double volume, bool can_go_next, bool can_go_previous, bool can_seek);

/// Copies a text, cut between characters, with a zero behind it, into `size` bytes, at least one.
void pcb_copy(char *to, size_t size, const char *text);

/// Properties whose values changed, as bits.
enum { PCB_STATUS = 1, PCB_LOOP = 2, PCB_METADATA = 4, PCB_VOLUME = 8, PCB_ABILITIES = 16 };

/// What a client of the bus asks for.
typedef enum {
    PCB_QUIT,
    PCB_NEXT,
    PCB_PREVIOUS,
    PCB_PAUSE,
    PCB_PLAY_PAUSE,
    PCB_STOP,
    PCB_PLAY,
    /// `offset`: by how many microseconds.
    PCB_SEEK,
    /// `offset`: the position in microseconds; `text`: the track's object path.
    PCB_SET_POSITION,
    /// `number`: the volume.
    PCB_SET_VOLUME,
    /// `text`: the word.
    PCB_SET_LOOP,
} pcb_request;

/// Functions of the player, called on the thread of the connection.
typedef struct {
    void *context;
    /// Fills in the state at this moment.
    void (*tell)(void *context, pcb_player *player);
    /// Carries out a request. Returns false where it is refused, with the reason in `reason`.
    bool (*take)(void *context, pcb_request request, int64_t offset, double number, const char *text, char *reason, size_t size);
} pcb_door;

typedef struct pcb_bus pcb_bus;

/// Opens libsystemd. Returns NULL, or the reason why it cannot be used. Any thread, once at a time.
const char *pcb_load(void);

/// Connects to the session's bus and takes the name `org.mpris.MediaPlayer2.<name>`; waits for the bus, at most some seconds.
/// `identity`: the player's name for people. Returns 0 or −errno. `door` must outlive the connection.
int pcb_open(pcb_bus **bus, const char *name, const char *identity, const pcb_door *door);

/// Handles what has come. Returns 0 or −errno, as where the bus has gone.
int pcb_process(pcb_bus *bus);

/// Waits until something comes from the bus or `bell`, an eventfd, is raised; without a limit of its own. Returns 0 or −errno.
int pcb_wait(pcb_bus *bus, int bell);

/// Sends the new values of the properties in `changes` to every client that listens. Returns 0 or −errno.
int pcb_changed(pcb_bus *bus, int changes);

/// Says that the position jumped to this one, microseconds. Returns 0 or −errno.
int pcb_seeked(pcb_bus *bus, int64_t position);

/// Gives the name back, and ends the connection and its memory.
void pcb_close(pcb_bus *bus);
