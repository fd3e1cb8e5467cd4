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

// Marks functions that may be called in the process callback, according to jack.h. The Swift compiler checks the mark.
#define CJACK_REALTIME __attribute__((swift_attr("@_noLocks")))

CJACK_REALTIME static inline void *cjack_port_get_buffer(jack_port_t *port, jack_nframes_t frames) {
    return jack_port_get_buffer(port, frames);
}

CJACK_REALTIME static inline jack_nframes_t cjack_last_frame_time(const jack_client_t *client) {
    return jack_last_frame_time(client);
}

/// Returns the number of connections of one of this client's ports. Only for the process callback with jackd's libjack:
/// it reads the connections of this cycle and never waits for a change. (PipeWire's takes a lock.)
CJACK_REALTIME static inline int cjack_port_connected(const jack_port_t *port) { return jack_port_connected(port); }

/// Returns the time at the start of this cycle, microseconds of JACK's clock; 0 if the server does not give it.
CJACK_REALTIME static inline jack_time_t cjack_cycle_start(const jack_client_t *client) {
    jack_nframes_t frames;
    jack_time_t start, next;
    float period;
    return jack_get_cycle_times(client, &frames, &start, &next, &period) == 0 ? start : 0;
}

/// Returns 1 while the transport is rolling, else 0.
CJACK_REALTIME static inline int cjack_transport_is_rolling(const jack_client_t *client) {
    return jack_transport_query(client, (jack_position_t *)0) == JackTransportRolling;
}

/// Returns 1 while the transport is rolling, else 0. `frame` is its position, estimated between cycles;
/// `beats_per_minute` is the tempo, 0 if there is no timebase master. May be called on any thread.
static inline int cjack_transport(const jack_client_t *client, jack_nframes_t *frame, double *beats_per_minute) {
    jack_position_t position;
    jack_transport_state_t state = jack_transport_query(client, &position);
    *beats_per_minute = position.valid & JackPositionBBT ? position.beats_per_minute : 0;
    *frame = state == JackTransportRolling ? jack_get_current_transport_frame(client) : position.frame;
    return state == JackTransportRolling;
}

/// Wakes a thread that waits on a semaphore. Does not wait.
CJACK_REALTIME static inline void cjack_ring(sem_t *bell) { sem_post(bell); }

// glibc has this function from 2.30 on, but declares it for GNU sources only.
extern int sem_clockwait(sem_t *bell, clockid_t clock, const struct timespec *moment);

/// Waits until the bell rings (returns 1) or the monotonic clock reaches `moment`, ns (returns 0). Drops further rings.
static inline int cjack_await(sem_t *bell, int64_t moment) {
    const struct timespec time = {.tv_sec = moment / 1000000000, .tv_nsec = moment % 1000000000};
    const int is_rung = sem_clockwait(bell, CLOCK_MONOTONIC, &time) == 0;
    while (sem_trywait(bell) == 0) {}
    return is_rung;
}

/// A short MIDI message and its time. The audio thread and a worker exchange such messages.
struct cjack_midi_message {
    /// Time, frames of the server's clock.
    uint32_t frame;
    /// Bytes, at most 56.
    uint32_t length;
    uint8_t bytes[56];
};

CJACK_REALTIME static inline uint32_t cjack_midi_count(void *buffer) { return jack_midi_get_event_count(buffer); }

/// Reads a message from a port's buffer; `frame` counts from the cycle's start. Returns 0 if there is none or it is too
/// long, else 1.
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

/// Writes a message to a port's buffer, at the cycle's start. Returns 0 if there is no room, else 1.
CJACK_REALTIME static inline int cjack_midi_put(void *buffer, const struct cjack_midi_message *message) {
    return jack_midi_event_write(buffer, 0, message->bytes, message->length) == 0;
}
