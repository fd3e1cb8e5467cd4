/// Inner loops of the matrix decoder: masks, their products with spectra, and the sum. CKernels.h includes this file.
/// The order of bins is described in upmix.h.
#pragma once

#include "upmix.h"

/// Highest number of sources to which two channels are decoded.
#define PRK_MATRIX_SOURCES 7

/// Job: masks of one frame for a matrix of `sources` encoding vectors; see MatrixDecoder in Soundstage.
typedef struct prk_matrix_masks {
    // The members bins, smooth, wide, wide_memory, memory, power, ambience_bias, floor, total, forgetting and
    // fall_ratio are used; the other members are not.
    prk_upmix_masks *memory;
    size_t sources;                        // 3…7, in order round the circle: left is first, right is third
    float circle[PRK_MATRIX_SOURCES][2];   // [source]: cosine and sine of twice the vector's angle
    float vector[PRK_MATRIX_SOURCES][2];   // [source]: vector of unit length
    float inverse[PRK_MATRIX_SOURCES][4];  // [source]: inverse of the matrix with this and the next vector as columns
    float gain[PRK_MATRIX_SOURCES];        // [source]: 1/length of the encoding vector
    float *const *masks;                   // [source except left and right][from left, from right]; written
} prk_matrix_masks;

/// Job: the channels of a block as a sum. Gains are linear ramps; at frame i they are from + step·(i + 1).
typedef struct prk_matrix_mix {
    // Rows are padded to a multiple of 16 frames and must not overlap. All rows except left and right are 64-byte
    // aligned.
    size_t frames;
    size_t sources;                    // number of sources except left and right
    const float *left, *right;         // the input
    const float *const *field;         // [source]: signal of the source
    const float *encoded;              // [source][left, right]: gains of the source in the input
    const float *from, *step;          // [source]: gain and its change per frame
    float *const *rows;                // left, right, then the sources; written
} prk_matrix_mix;

/// Kernels of the matrix decoder for one instruction set. The functions below document them.
typedef struct prk_matrix_kernels {
    void (*masks)(prk_matrix_masks *job);
    void (*real)(
        size_t bins, size_t count, const float *masks, const float *left, const float *right, float *const *results);
    void (*complex)(
        size_t bins, size_t count, const float *masks, const float *left, const float *right, float *const *results);
    void (*mix)(const prk_matrix_mix *job);
} prk_matrix_kernels;

/// Computes the constants of a matrix of `sources` encoding vectors. `encoded` is [source][left, right]. Not for the
/// audio thread.
void prk_matrix_prepare(prk_matrix_masks *job, size_t sources, const double *encoded);

/// Updates the memory and computes the masks of one frame.
PRK_REALTIME void prk_matrix_make_masks(prk_matrix_masks *job);

/// Multiplies spectra by `count` pairs of real masks, [mask][bin] in the order of the spectra. Result i is
/// masks[2i]·left + masks[2i + 1]·right.
PRK_REALTIME void prk_matrix_real(
    size_t bins, size_t count, const float *masks, const float *left, const float *right, float *const *results);

/// Multiplies spectra by `count` pairs of complex masks, stored as consecutive spectra.
PRK_REALTIME void prk_matrix_complex(
    size_t bins, size_t count, const float *masks, const float *left, const float *right, float *const *results);

/// Computes the channels of a block: the sources times their gains, and left and right without the sources.
PRK_REALTIME void prk_matrix_sum(const prk_matrix_mix *job);
