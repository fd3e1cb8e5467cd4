#pragma once
#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/midiport.h>
#include <jack/statistics.h>
#include <jack/transport.h>
#include <jack/uuid.h>
#include <semaphore.h>
#include <stdint.h>
#include <time.h>

// jack_client_open is variadic, which Swift cannot call.
static inline jack_client_t *cjack_client_open(const char *name, jack_options_t options, jack_status_t *status) {
    return jack_client_open(name, options, status);
}

// What jack.h allows in the process callback, said in the way Swift's compiler checks.
#define CJACK_REALTIME __attribute__((swift_attr("@_noLocks")))

CJACK_REALTIME static inline void *cjack_port_get_buffer(jack_port_t *port, jack_nframes_t frames) {
    return jack_port_get_buffer(port, frames);
}

CJACK_REALTIME static inline jack_nframes_t cjack_last_frame_time(const jack_client_t *client) {
    return jack_last_frame_time(client);
}

/// Connections of a port of one's own. For the process callback of jackd's libjack only: it reads the graph the cycle runs with,
/// and on that thread never waits for a change under way. (PipeWire's takes a lock.)
CJACK_REALTIME static inline int cjack_port_connected(const jack_port_t *port) { return jack_port_connected(port); }

/// Microseconds of JACK's clock at the start of this cycle; 0 where the server does not say.
CJACK_REALTIME static inline jack_time_t cjack_cycle_start(const jack_client_t *client) {
    jack_nframes_t frames;
    jack_time_t start, next;
    float period;
    return jack_get_cycle_times(client, &frames, &start, &next, &period) == 0 ? start : 0;
}

/// 1 while the transport rolls, else 0.
CJACK_REALTIME static inline int cjack_transport_is_rolling(const jack_client_t *client) {
    return jack_transport_query(client, (jack_position_t *)0) == JackTransportRolling;
}

/// Where the transport is, estimated between cycles; its tempo, 0 where no client leads the time. 1 while it rolls, else 0.
/// Any thread.
static inline int cjack_transport(const jack_client_t *client, jack_nframes_t *frame, double *beats_per_minute) {
    jack_position_t position;
    jack_transport_state_t state = jack_transport_query(client, &position);
    *beats_per_minute = position.valid & JackPositionBBT ? position.beats_per_minute : 0;
    *frame = state == JackTransportRolling ? jack_get_current_transport_frame(client) : position.frame;
    return state == JackTransportRolling;
}

/// Wakes a thread that waits on a semaphore; never waits itself.
CJACK_REALTIME static inline void cjack_ring(sem_t *bell) { sem_post(bell); }

// In glibc from 2.30 on, but declared for GNU sources only.
extern int sem_clockwait(sem_t *bell, clockid_t clock, const struct timespec *moment);

/// Waits until the bell rings or the monotonic clock shows a moment, nanoseconds; drops further rings. Returns 1 where it rang, else 0.
static inline int cjack_await(sem_t *bell, int64_t moment) {
    const struct timespec time = {.tv_sec = moment / 1000000000, .tv_nsec = moment % 1000000000};
    const int is_rung = sem_clockwait(bell, CLOCK_MONOTONIC, &time) == 0;
    while (sem_trywait(bell) == 0) {}
    return is_rung;
}

/// A short MIDI message and when it came: what passes from the audio thread to a worker and back.
struct cjack_midi_message {
    /// The frame of the server's clock.
    uint32_t frame;
    /// Bytes, at most 56.
    uint32_t length;
    uint8_t bytes[56];
};

CJACK_REALTIME static inline uint32_t cjack_midi_count(void *buffer) { return jack_midi_get_event_count(buffer); }

/// Takes a message out of a port's buffer, its frame counted from the cycle's; 0 where it is longer than a message holds.
CJACK_REALTIME static inline int cjack_midi_take(
    void *buffer, uint32_t index, struct cjack_midi_message *message) {
    jack_midi_event_t event;
    if (jack_midi_event_get(&event, buffer, index) != 0 || event.size > sizeof message->bytes) return 0;
    message->frame = event.time;
    message->length = (uint32_t)event.size;
    for (uint32_t i = 0; i < event.size; i++) message->bytes[i] = event.buffer[i];
    return 1;
}

CJACK_REALTIME static inline void cjack_midi_clear(void *buffer) { jack_midi_clear_buffer(buffer); }

/// Puts a message at the beginning of a port's buffer; 0 where there is no room.
CJACK_REALTIME static inline int cjack_midi_put(void *buffer, const struct cjack_midi_message *message) {
    return jack_midi_event_write(buffer, 0, message->bytes, message->length) == 0;
}
