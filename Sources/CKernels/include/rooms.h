/// Kernels of long convolution (rooms): sums over many spectra, and transforms longer than the first-level cache.
///
/// Spectra are those of `OddFourier`: the values of a real signal of n samples at θ_k = 2π(2k + ½)/n, k < n/2, in chunks of
/// sixteen bins, [re 16][im 16]. All spectra are 64-byte aligned. Included by CKernels.h.
#pragma once
#include <stddef.h>

/// A sum of products of input spectra with the filters of two ears, over a range of chunks.
///
/// The terms are in two runs, because the inputs are in a ring: `terms[0]` terms from `inputs[0]` on, then `terms[1]`
/// from `inputs[1]` on. Within a chunk the terms are contiguous, so that long sums read only two streams: inputs
/// [term][re 16][im 16], filters [term][left re 16][left im 16][right re 16][right im 16].
typedef struct prk_room_sum {
    size_t chunks;
    size_t terms[2];
    const float *inputs[2];
    size_t input_stride;  // floats from one chunk to the next
    const float *filters; // of the first term, in the first chunk
    size_t filter_stride; // floats from one chunk to the next
    float *results[2];    // left and right: [chunk][re 16][im 16]
    int onto;             // not 0: add to the results
} prk_room_sum;

/// The same sum for two blocks at once: the block due, and the part of the next block's sum whose inputs are already
/// present. Filters too large for the caches are thus read only every other time. The chunks take turns: half of them
/// sum ahead, the others add their first partition to the sum formed ahead the time before. All blocks cost the same.
typedef struct prk_room_pair {
    size_t chunks;
    size_t phase; // chunk c sums ahead where c + phase is even
    int fresh;    // not 0: no sum was formed ahead; those chunks sum everything now
    /// Runs of terms in the order of the filters, the first partition first: number of terms, their start in the
    /// inputs, and the start of the next block's inputs for the same filters (NULL in the first run, whose input has
    /// not arrived).
    size_t runs;
    size_t terms[4];
    const float *inputs[4];
    const float *later[4];
    size_t input_stride, filter_stride; // as in prk_room_sum
    const float *filters;
    float *results[2];
    float *ahead[2]; // left and right: [chunk][re 16][im 16], kept by the caller between calls
} prk_room_pair;

/// Factors by which `radix` transforms of n/radix samples make one of n: with x_s[j] = x[radix·j + s],
/// X(θ) = Σ_s e^{−isθ}·X_s(radix·θ). The radix·θ_k are the odd frequencies of the shorter length, repeated radix times
/// (decimation in time; Van Loan, Computational Frameworks for the FFT, 1992, §1.3).
typedef struct prk_room_turns {
    size_t radix;       // 2, 4 or 8
    size_t chunks;      // of the shorter spectra, n/(32·radix)
    const float *lanes; // [s][re 16][im 16]: e^{−is·4πj/n}, j < 16
    const float *bases; // [chunk][s][re, im]: e^{−isθ} at the chunk's first bin
} prk_room_turns;

/// Room kernels of one instruction set; the functions below document them.
typedef struct prk_room_kernels {
    void (*sum)(const prk_room_sum *job);
    void (*pair)(const prk_room_pair *job);
    void (*split)(size_t radix, size_t n, const float *x, size_t at, float *const *rows);
    void (*join)(
        const prk_room_turns *turns, size_t from, size_t to, const float *const *rows, float *spectrum, size_t stride);
    void (*part)(const prk_room_turns *turns, size_t from, size_t to, const float *spectrum, float *const *rows);
    void (*weave)(size_t radix, size_t at, size_t n, const float *const *rows, float from, float step, float *y);
} prk_room_kernels;

/// Fills the tables of `prk_room_turns` for n = 32·chunks·radix samples: `lanes` takes 32·radix floats, 64-byte aligned,
/// `bases` 2·chunks·radix. Not for the audio thread.
void prk_room_fill_turns(size_t radix, size_t chunks, float *lanes, float *bases);

/// Sums products of spectra. Cost: 8 multiply-adds per term and bin; bound by memory where the terms leave the caches.
PRK_REALTIME void prk_room_sum_spectra(const prk_room_sum *job);

/// Sums products of spectra for a block and ahead for the next.
PRK_REALTIME void prk_room_sum_pair(const prk_room_pair *job);

/// Splits a row: rows[s][at + j] = x[radix·j + s], j < n.
PRK_REALTIME void prk_room_split(size_t radix, size_t n, const float *x, size_t at, float *const *rows);

/// Joins chunks `from`..<`to` of `radix` shorter spectra to one spectrum, whose chunk c is at spectrum + c·stride
/// floats.
PRK_REALTIME void prk_room_join(
    const prk_room_turns *turns, size_t from, size_t to, const float *const *rows, float *spectrum, size_t stride);

/// Reverses `prk_room_join`, scaled by radix; the spectrum's chunks are contiguous.
PRK_REALTIME void prk_room_part(
    const prk_room_turns *turns, size_t from, size_t to, const float *spectrum, float *const *rows);

/// Adds interleaved rows with a linear gain: y[i] += (from + step·i)·x[at + i], i < n, where
/// x[j] = rows[j mod radix][j div radix].
PRK_REALTIME void prk_room_weave(
    size_t radix, size_t at, size_t n, const float *const *rows, float from, float step, float *y);
