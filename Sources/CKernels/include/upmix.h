/// The inner loops of the upmix: covariances, masks and their products. Part of CKernels.h.
///
/// Spectra are in the order of the odd-frequency transforms, [chunk of 16 bins][re 16][im 16]. Rows in order of
/// frequency hold bin j at (j + ½)·fs/N, see prk_upmix_powers. `bins` is always a multiple of 32; rows are 64-byte
/// aligned unless stated otherwise.
#pragma once

/// Masks of one frame from covariances; PrimaryAmbientMasks in Soundstage defines them.
typedef struct prk_upmix_masks {
    size_t bins;
    const float *smooth[4];        // covariances of this frame: left, right, cross re, cross im
    const float *wide;             // power of both channels over a wide box, this frame
    const float *wide_memory;      // the same of the memory
    float *memory[4];              // recursive mean of the covariances; updated
    float *power;                  // left + right of the memory; written
    float *level;                  // recursive mean of the wide power; updated
    const float *ambience_bias;    // squared coherence by chance, [bin]
    const float *centre_bias;
    float *masks[5];               // centre from left, centre from right, ll, lr, rr; written
    float floor[4];                // added to the memory before masks are derived from it
    float total[4];                // sums of the memory's rows; written
    float forgetting, fall_ratio;  // share kept of the memory; largest ratio of its power to the present power
    float level_forgetting, rise;
    float similarity, similarity_scale;  // lower limit of the centre's weight, and 1/(upper limit − lower limit)
    float centre_rest, centre_load;  // weight of the rest of a bin against the centre; ambience in the centre's weights
    int centre_squared;            // whether the centre's share is squared
    int primary_roots;             // number of square roots taken of the primary share
} prk_upmix_masks;

/// Sum that makes the five channels of a block. Gains are linear ramps, at frame i from[g] + step[g]·(i + 1).
typedef struct prk_upmix_mix {
    size_t frames;             // rows padded to a multiple of 16, 64-byte aligned but left and right; none overlap
    const float *left, *right; // the input
    const float *field[3];     // centre, ambience left, ambience right
    float from[3], step[3];    // gains: centre, ambience in the surrounds, ambience subtracted from the front
    float root;                // gain of the centre subtracted from the front
    float *rows[5];            // left, right, centre, surround left, surround right; written
} prk_upmix_mix;

/// Kernels of one instruction set, in the order of the functions below.
typedef struct prk_upmix_kernels {
    void (*powers)(size_t bins, const float *left, const float *right, float *const *rows);
    void (*box)(size_t bins, const uint8_t *halves, const float *shares, const float *x, float *y);
    void (*masks)(prk_upmix_masks *job);
    void (*order)(size_t bins, const float *row, size_t chunk, float *y);
    void (*real)(
        size_t bins, const float *masks, const float *left, const float *right, float *const *results);
    void (*complex)(
        size_t bins, const float *masks, const float *left, const float *right, float *const *results);
    void (*mix)(const prk_upmix_mix *job);
} prk_upmix_kernels;

/// Computes the powers of two spectra and their cross-power left·right*, in order of frequency: rows left, right, re,
/// im. Bin 2k of a row is bin k of the spectra, bin 2k + 1 the conjugate of their bin `bins` − 1 − k.
PRK_REALTIME void prk_upmix_powers(size_t bins, const float *left, const float *right, float *const *rows);

/// y[j] = shares[j]·Σ x[i] over |i − j| ≤ halves[j/16]; x has any alignment and extends that far on both sides.
PRK_REALTIME void prk_upmix_box(size_t bins, const uint8_t *halves, const float *shares, const float *x, float *y);

/// Updates the memory and computes the masks of one frame.
PRK_REALTIME void prk_upmix_make_masks(prk_upmix_masks *job);

/// Reorders a row from order of frequency to the order of the spectra; chunks of 16 are `chunk` floats apart, 16 or 32.
PRK_REALTIME void prk_upmix_order(size_t bins, const float *row, size_t chunk, float *y);

/// Multiplies spectra by five real masks [mask][bin] in the order of the spectra: cl·left + cr·right, ll·left +
/// lr·right, lr·left + rr·right.
PRK_REALTIME void prk_upmix_real(
    size_t bins, const float *masks, const float *left, const float *right, float *const *results);

/// The same with complex masks, stored as consecutive spectra.
PRK_REALTIME void prk_upmix_complex(
    size_t bins, const float *masks, const float *left, const float *right, float *const *results);

/// Computes the channels of a block: left − root·centre − taken·ambience and so on.
PRK_REALTIME void prk_upmix_sum(const prk_upmix_mix *job);
