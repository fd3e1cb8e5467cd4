/// The inner loops of the matrix decoder: masks, their products and the sum. Part of CKernels.h; orders are those of upmix.h.
#pragma once

#include "upmix.h"

/// The most sources that two channels are decoded to.
#define PRK_MATRIX_SOURCES 7

/// Masks of one frame for a matrix of `sources` encoding vectors, see MatrixMasks in Soundstage.
typedef struct prk_matrix_masks {
    prk_upmix_masks *memory;               // bins, covariances and their memory, floor, forgetting, ambience_bias; masks unused
    size_t sources;                        // 3…7, round the circle: left first, right third
    float circle[PRK_MATRIX_SOURCES][2];   // of each vector, the cosine and sine of twice its angle
    float vector[PRK_MATRIX_SOURCES][2];   // of unit length
    float inverse[PRK_MATRIX_SOURCES][4];  // of the matrix of this vector and the next: rows of this one, of the next
    float gain[PRK_MATRIX_SOURCES];        // 1/length of the vector as it is encoded
    float *const *masks;                   // of left and of right in each source but left and right; written
} prk_matrix_masks;

/// The sum that makes the channels of a block: gains go in a line, at frame i from + step·(i + 1).
typedef struct prk_matrix_mix {
    size_t frames;                     // rows reach on to a multiple of 16, are 64-byte aligned but left and right; none overlap
    size_t sources;                    // but left and right
    const float *left, *right;         // the input
    const float *const *field;         // [source]
    const float *encoded;              // [source][left, right]: what it is in the two
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

/// Fills in what a matrix of `sources` encoding vectors takes, [source][left, right] in `encoded`. Not for the audio thread.
void prk_matrix_prepare(prk_matrix_masks *job, size_t sources, const double *encoded);

/// One frame's memory and masks.
PRK_REALTIME void prk_matrix_make_masks(prk_matrix_masks *job);

/// Products of `count` pairs of real masks [mask][bin] in the order of the spectra: masks[2i]·left + masks[2i + 1]·right.
PRK_REALTIME void prk_matrix_real(
    size_t bins, size_t count, const float *masks, const float *left, const float *right, float *const *results);

/// The same with complex masks, spectra one after the other.
PRK_REALTIME void prk_matrix_complex(
    size_t bins, size_t count, const float *masks, const float *left, const float *right, float *const *results);

/// Channels of a block: the sources by their gains, and what is left of left and right.
PRK_REALTIME void prk_matrix_sum(const prk_matrix_mix *job);
