/// Inner loops of the upmix: covariances, masks, and their products with spectra. CKernels.h includes this file.
///
/// Spectra are in the order of the odd-frequency transforms, [chunk of 16 bins][re 16][im 16]. In rows in order of
/// frequency, bin j lies at (j + ½)·fs/N; see prk_upmix_powers. `bins` is a multiple of 32. Rows are 64-byte aligned
/// unless stated otherwise.
#pragma once

/// Job: masks of one frame from covariances. PrimaryAmbientMasks in Soundstage defines the masks.
typedef struct prk_upmix_masks {
    size_t bins;
    const float *smooth[4];        // covariances of this frame: left, right, real and imaginary part of the cross-power
    const float *wide;             // sum of the power of both channels over a wide box, of this frame
    const float *wide_memory;      // sum of the power of both channels over a wide box, of the memory
    float *memory[4];              // recursive mean of the covariances; updated
    float *power;                  // sum of left and right of the memory; written
    float *level;                  // recursive mean of the wide power; updated
    const float *ambience_bias;    // [bin]: squared coherence expected by chance, for the ambience
    const float *centre_bias;      // [bin]: squared coherence expected by chance, for the centre
    float *masks[5];               // centre from left, centre from right, ll, lr, rr; written
    float floor[4];                // added to the memory before masks are derived from it
    float total[4];                // sums of the memory's rows; written
    float forgetting, fall_ratio;  // decay factor of the memory per frame; highest ratio of memory to present power
    float level_forgetting, rise;  // decay factor of the level per frame; ratio to the level that counts as a rise
    float similarity, similarity_scale;  // similarity where the centre's weight begins; 1/(range up to weight 1)
    float centre_rest, centre_load;  // weight of the remainder in the centre's share; diagonal load of its weights
    int centre_squared;            // whether the centre's share is squared
    int primary_roots;             // number of square roots taken of the primary share
} prk_upmix_masks;

/// Job: the five channels of a block as a sum. Gains are linear ramps; at frame i they are from[g] + step[g]·(i + 1).
typedef struct prk_upmix_mix {
    // Rows are padded to a multiple of 16 frames and must not overlap. All rows except left and right are 64-byte
    // aligned.
    size_t frames;
    const float *left, *right; // the input
    const float *field[3];     // centre, ambience left, ambience right
    float from[3], step[3];    // gains: centre, ambience in the surrounds, ambience subtracted from the front
    float root;                // gain of the centre subtracted from the front
    float *rows[5];            // left, right, centre, surround left, surround right; written
} prk_upmix_mix;

/// Number of second-order all-pass sections of a dispersion, and of lanes that they occupy.
#define PRK_DISPERSION_SECTIONS 6
#define PRK_DISPERSION_LANES 8
/// Delay in addition to that of the sections, samples: the input of each section is the output of the section before it
/// two samples earlier, 2·(6 − 1), so that all sections are computed together.
#define PRK_DISPERSION_DELAY 10

/// Job: second-order all-pass sections in series on the right channel, y[n] = second·(x[n] − y[n − 2]) +
/// first·(x[n − 1] − y[n − 1]) + x[n − 2], and first-order low-passes of both channels. PhaseDispersion and
/// DecorrelatorBank in Soundstage set the coefficients. Lanes without a section are 0 in all rows.
typedef struct prk_upmix_split {
    double first[PRK_DISPERSION_LANES], second[PRK_DISPERSION_LANES];
    double inputs[2][PRK_DISPERSION_LANES];   // one sample and two samples earlier; updated
    double outputs[2][PRK_DISPERSION_LANES];  // one sample and two samples earlier; updated
    float share;                              // step of the low-passes towards their input per sample
    float low[2];                             // state of the low-passes, left and right; updated
} prk_upmix_split;

/// Kernels of the upmix for one instruction set. The functions below document them.
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
    void (*split)(
        prk_upmix_split *job, size_t frames, float *left, float *right, float *low_left, float *low_right);
} prk_upmix_kernels;

/// Computes the powers of two spectra and their cross-power left·right*, in order of frequency. The rows are left,
/// right, and the real and imaginary parts of the cross-power. Bin 2k of a row is bin k of the spectra. Bin 2k + 1 is
/// the conjugate of bin `bins` − 1 − k of the spectra.
PRK_REALTIME void prk_upmix_powers(size_t bins, const float *left, const float *right, float *const *rows);

/// y[j] = shares[j]·Σ x[i] over |i − j| ≤ halves[j/16]. x may have any alignment and must be readable this far beyond
/// both ends.
PRK_REALTIME void prk_upmix_box(size_t bins, const uint8_t *halves, const float *shares, const float *x, float *y);

/// Updates the memory and computes the masks of one frame.
PRK_REALTIME void prk_upmix_make_masks(prk_upmix_masks *job);

/// Reorders a row from the order of frequency to the order of the spectra. Chunks of 16 bins are `chunk` floats apart,
/// 16 or 32.
PRK_REALTIME void prk_upmix_order(size_t bins, const float *row, size_t chunk, float *y);

/// Multiplies spectra by five real masks [mask][bin], in the order of the spectra. The results are cl·left + cr·right,
/// ll·left + lr·right, and lr·left + rr·right.
PRK_REALTIME void prk_upmix_real(
    size_t bins, const float *masks, const float *left, const float *right, float *const *results);

/// Multiplies spectra by five complex masks, stored as consecutive spectra.
PRK_REALTIME void prk_upmix_complex(
    size_t bins, const float *masks, const float *left, const float *right, float *const *results);

/// Computes the channels of a block, for example the front left: left − root·centre − taken·ambience.
PRK_REALTIME void prk_upmix_sum(const prk_upmix_mix *job);

/// Filters the right channel by the sections, and moves the low-passed part of both channels to `low_left` and
/// `low_right`. Rows may have any alignment and length, and must not overlap.
PRK_REALTIME void prk_upmix_take_low(
    prk_upmix_split *job, size_t frames, float *left, float *right, float *low_left, float *low_right);
