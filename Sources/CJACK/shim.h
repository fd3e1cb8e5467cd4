#pragma once
#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/midiport.h>
#include <jack/statistics.h>
#include <jack/transport.h>
#include <jack/uuid.h>

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
