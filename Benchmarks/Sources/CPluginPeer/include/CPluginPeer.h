/// LV2 plugins run through lilv without a host: the peer of the product's chains. For one thread at a time.
#pragma once
#include <stdint.h>

/// One instance of an LV2 plugin: ports connected once, then run, as in lilv's lv2bench.
typedef struct peer_lv2 peer_lv2;

/// Reads a bundle in a separate world and creates an active instance for runs of up to `block` frames, its controls at
/// their defaults. NULL if the bundle lacks the plugin or it requires a feature other than URIDs, options, bounded
/// blocks.
peer_lv2 *peer_lv2_create(const char *bundle, const char *uri, double rate, uint32_t block);
void peer_lv2_destroy(peer_lv2 *);
/// Connects the audio input or output `number` (0, 1 …) to `block` floats.
void peer_lv2_input(peer_lv2 *, uint32_t number, float *samples);
void peer_lv2_output(peer_lv2 *, uint32_t number, float *samples);
/// Runs the plugin; all audio ports must be connected.
void peer_lv2_run(peer_lv2 *, uint32_t frames);
