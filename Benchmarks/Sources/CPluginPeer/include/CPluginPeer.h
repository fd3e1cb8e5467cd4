/// LV2 plugins with nothing around them, by lilv: the peer of the product's chains. From one thread at a time.
#pragma once
#include <stdint.h>

/// One instance of an LV2 plugin with nothing around it: ports connected once, then run, as lilv's lv2bench does it.
typedef struct peer_lv2 peer_lv2;

/// Reads a bundle in a world of its own and makes an active instance for runs of up to `block` frames, its controls at
/// their defaults. NULL where the bundle has no such plugin or it needs what is not offered (URIDs, options, bounded blocks).
peer_lv2 *peer_lv2_create(const char *bundle, const char *uri, double rate, uint32_t block);
void peer_lv2_destroy(peer_lv2 *);
/// Connects the audio input or output of a number (0, 1 …) to `block` floats.
void peer_lv2_input(peer_lv2 *, uint32_t number, float *samples);
void peer_lv2_output(peer_lv2 *, uint32_t number, float *samples);
/// Runs it; all audio ports must be connected.
void peer_lv2_run(peer_lv2 *, uint32_t frames);
