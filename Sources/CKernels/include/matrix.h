/// Inner loops of the matrix decoder: masks, their products and the sum. Part of CKernels.h; bin orders as in upmix.h.
#pragma once

#include "upmix.h"

/// Most sources that two channels are decoded to.
#define PRK_MATRIX_SOURCES 7

/// Masks of one frame for a matrix of `sources` encoding vectors, see MatrixMasks in Soundstage.
typedef struct prk_matrix_masks {
    prk_upmix_masks *memory;               // bins, covariances and their memory, floor, forgetting, ambience_bias; masks unused
    size_t sources;                        // 3…7, round the circle: left first, right third
    float circle[PRK_MATRIX_SOURCES][2];   // [source]: cosine and sine of twice the vector's angle
    float vector[PRK_MATRIX_SOURCES][2];   // [source]: vector of unit length
    float inverse[PRK_MATRIX_SOURCES][4];  // [source]: inverse of [this vector, the next]: row of each
    float gain[PRK_MATRIX_SOURCES];        // [source]: 1/length of the encoded vector
    float *const *masks;                   // [source but left and right][from left, from right]; written
} prk_matrix_masks;

/// Sum that makes the channels of a block. Gains are linear ramps, at frame i from + step·(i + 1).
typedef struct prk_matrix_mix {
    size_t frames;                     // rows padded to a multiple of 16, 64-byte aligned but left and right; none overlap
    size_t sources;                    // without left and right
    const float *left, *right;         // the input
    const float *const *field;         // [source]
    const float *encoded;              // [source][left, right]: gains of the source in the input
    const float *from, *step;          // [source]
    float *const *rows;                // left, right, then the sources; written
} prk_matrix_mix;

/// Kernels of one instruction set, in the order of the functions below.
typedef struct prk_matrix_kernels {
    void (*masks)(prk_matrix_masks *job);
    void (*real)(
        size_t bins, size_t count, const float *masks, const float *left, const float *right, float *const *results);
    void (*complex)(
        size_t bins, size_t count, const float *masks, const float *left, const float *right, float *const *results);
    void (*mix)(const prk_matrix_mix *job);
} prk_matrix_kernels;

/// Fills in the constants of a matrix of `sources` encoding vectors, [source][left, right] in `encoded`. Not for the
/// audio thread.
void prk_matrix_prepare(prk_matrix_masks *job, size_t sources, const double *encoded);

/// Updates the memory and computes the masks of one frame.
PRK_REALTIME void prk_matrix_make_masks(prk_matrix_masks *job);

/// Multiplies spectra by `count` pairs of real masks [mask][bin] in the spectra's order: result i is
/// masks[2i]·left + masks[2i + 1]·right.
PRK_REALTIME void prk_matrix_real(
    size_t bins, size_t count, const float *masks, const float *left, const float *right, float *const *results);

/// The same with complex masks, stored as consecutive spectra.
PRK_REALTIME void prk_matrix_complex(
    size_t bins, size_t count, const float *masks, const float *left, const float *right, float *const *results);

/// Computes the channels of a block: the sources times their gains, and the remainder of left and right.
PRK_REALTIME void prk_matrix_sum(const prk_matrix_mix *job);
