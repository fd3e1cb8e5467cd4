/// The inner loops of the upmix: covariances, masks and their products. Part of CKernels.h.
///
/// Spectra are in the order of the odd-frequency transforms, [chunk of 16 bins][re 16][im 16]; rows in order of frequency
/// hold bin j at (j + ½)·fs/N, see prk_upmix_powers. `bins` is a multiple of 32 everywhere, rows are 64-byte aligned but where
/// another word is said.
#pragma once

/// Masks of one frame from covariances, see PrimaryAmbientMasks in Soundstage for what they are.
typedef struct prk_upmix_masks {
    size_t bins;
    const float *smooth[4];        // covariances of this frame: left, right, cross re, cross im
    const float *wide;             // power of both over a wide box, this frame
    const float *wide_memory;      // and of the memory
    float *memory[4];              // covariances remembered; updated
    float *power;                  // left + right of the memory; written
    float *level;                  // the wide power over a longer while; updated
    const float *ambience_bias;    // excess of squared coherence by chance, [bin]
    const float *centre_bias;
    float *masks[5];               // of left and of right in the centre, ll, lr, rr; written
    float floor[4];                // added to the memory before anything is derived from it
    float total[4];                // sums of the memory's rows; written
    float forgetting, fall_ratio;  // what the memory keeps, and the most it may exceed the present, as a ratio of powers
    float level_forgetting, rise;
    float similarity, similarity_scale;  // where the centre's weight begins, and 1/(where it is whole − that)
    float centre_rest, centre_load;  // what else is in a bin weighs so much against the centre; ambience in its weights
    int centre_squared;            // whether the centre's share counts squared
    int primary_roots;             // square roots taken of the primary share
} prk_upmix_masks;

/// The sum that makes five channels of a block: gains go in a line, at frame i from[g] + step[g]·(i + 1).
typedef struct prk_upmix_mix {
    size_t frames;             // rows reach on to a multiple of 16, are 64-byte aligned but left and right; none overlap
    const float *left, *right; // the input
    const float *field[3];     // centre, ambience left, ambience right
    float from[3], step[3];    // of the centre, of the ambience given to the surrounds, and of that taken from the front
    float root;                // of the centre, taken from the front
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

/// Powers of two spectra and their cross-power left·right*, brought into order of frequency: rows left, right, re, im. Bin 2k of
/// a row is bin k of the spectra, bin 2k + 1 the conjugate of their bin `bins` − 1 − k.
PRK_REALTIME void prk_upmix_powers(size_t bins, const float *left, const float *right, float *const *rows);

/// y[j] = shares[j]·Σ x[i] over |i − j| ≤ halves[j/16]; x may lie anywhere and goes on for that far on both sides.
PRK_REALTIME void prk_upmix_box(size_t bins, const uint8_t *halves, const float *shares, const float *x, float *y);

/// One frame's memory and masks.
PRK_REALTIME void prk_upmix_make_masks(prk_upmix_masks *job);

/// A row in order of frequency into the order of the spectra; chunks of 16 are `chunk` floats apart, 16 or 32.
PRK_REALTIME void prk_upmix_order(size_t bins, const float *row, size_t chunk, float *y);

/// Products with five real masks [mask][bin] in the order of the spectra: cl·left + cr·right, ll·left + lr·right,
/// lr·left + rr·right.
PRK_REALTIME void prk_upmix_real(
    size_t bins, const float *masks, const float *left, const float *right, float *const *results);

/// The same with complex masks, spectra one after the other.
PRK_REALTIME void prk_upmix_complex(
    size_t bins, const float *masks, const float *left, const float *right, float *const *results);

/// Channels of a block: left − root·centre − taken·ambience and so on.
PRK_REALTIME void prk_upmix_sum(const prk_upmix_mix *job);
