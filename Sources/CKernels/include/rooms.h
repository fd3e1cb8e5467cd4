/// Kernels of long convolution (rooms): sums over many spectra, and transforms that are too long for the first-level
/// cache.
///
/// Spectra are those of `OddFourier`: the values of a real signal of n samples at θ_k = 2π(2k + ½)/n for k < n/2. They
/// consist of chunks of sixteen bins, [re 16][im 16], and are 64-byte aligned. CKernels.h includes this file.
#pragma once
#include <stddef.h>

/// Job: a sum of products of input spectra with the filters of two ears, over a range of chunks.
///
/// The inputs are in a ring, so the terms consist of two runs: `terms[0]` terms that begin at `inputs[0]`, then
/// `terms[1]` terms that begin at `inputs[1]`. Within a chunk the terms are contiguous, so that long sums read only two
/// streams: inputs [term][re 16][im 16], and filters [term][left re 16][left im 16][right re 16][right im 16].
typedef struct prk_room_sum {
    size_t chunks;
    size_t terms[2];
    const float *inputs[2];
    size_t input_stride;  // number of floats from one chunk to the next
    const float *filters; // filter of the first term, in the first chunk
    size_t filter_stride; // number of floats from one chunk to the next
    float *results[2];    // left and right: [chunk][re 16][im 16]
    int onto;             // 0: the results are overwritten; otherwise the sum is added to them
} prk_room_sum;

/// Job: the sum of prk_room_sum for two blocks at once. It is computed for the present block, and for the part of the
/// next block whose inputs are already present. Filters that are too large for the caches are thus read only every
/// other time.
///
/// In every call, half of the chunks are computed ahead for the next block. The other chunks add their first partition
/// to the sum that was computed ahead in the last call. All blocks therefore have equal cost.
typedef struct prk_room_pair {
    size_t chunks;
    size_t phase; // chunk c is computed ahead if c + phase is even
    int fresh;    // not 0: no sum was computed ahead, so that all chunks compute their whole sum now
    /// Runs of terms in the order of the filters, the first partition first: the number of terms, the start of their
    /// inputs, and the start of the next block's inputs for the same filters. The last pointer is NULL in the first
    /// run, because its input has not arrived.
    size_t runs;
    size_t terms[4];
    const float *inputs[4];
    const float *later[4];
    size_t input_stride, filter_stride; // as in prk_room_sum
    const float *filters;
    float *results[2];
    float *ahead[2]; // left and right: [chunk][re 16][im 16]; the caller keeps them unchanged between calls
} prk_room_pair;

/// Factors by which `radix` transforms of n/radix samples are joined to one transform of n samples. If
/// x_s[j] = x[radix·j + s], then X(θ) = Σ_s e^{−isθ}·X_s(radix·θ). The frequencies radix·θ_k are the odd frequencies of
/// the shorter length, repeated radix times (decimation in time; Van Loan, Computational Frameworks for the FFT, 1992,
/// §1.3).
typedef struct prk_room_turns {
    size_t radix;       // 2, 4 or 8
    size_t chunks;      // number of chunks of a shorter spectrum, n/(32·radix)
    const float *lanes; // [s][re 16][im 16]: e^{−is·4πj/n} for j < 16
    const float *bases; // [chunk][s][re, im]: e^{−isθ} at the chunk's first bin
} prk_room_turns;

/// Kernels of rooms for one instruction set. The functions below document them.
typedef struct prk_room_kernels {
    void (*sum)(const prk_room_sum *job);
    void (*pair)(const prk_room_pair *job);
    void (*split)(size_t radix, size_t n, const float *x, size_t at, float *const *rows);
    void (*join)(
        const prk_room_turns *turns, size_t from, size_t to, const float *const *rows, float *spectrum, size_t stride);
    void (*part)(const prk_room_turns *turns, size_t from, size_t to, const float *spectrum, float *const *rows);
    void (*weave)(size_t radix, size_t at, size_t n, const float *const *rows, float from, float step, float *y);
} prk_room_kernels;

/// Fills the tables of `prk_room_turns` for n = 32·chunks·radix samples. `lanes` has space for 32·radix floats and is
/// 64-byte aligned. `bases` has space for 2·chunks·radix floats. Not for the audio thread.
void prk_room_fill_turns(size_t radix, size_t chunks, float *lanes, float *bases);

/// Sums products of spectra. Cost: 8 multiply-adds per term and bin. The speed is limited by memory if the terms exceed
/// the caches.
PRK_REALTIME void prk_room_sum_spectra(const prk_room_sum *job);

/// Sums products of spectra for a block, and in advance for the next block.
PRK_REALTIME void prk_room_sum_pair(const prk_room_pair *job);

/// Splits a row into `radix` (1, 2, 4 or 8) interleaved rows: rows[s][at + j] = x[radix·j + s] for j < n.
PRK_REALTIME void prk_room_split(size_t radix, size_t n, const float *x, size_t at, float *const *rows);

/// Joins the chunks `from` ≤ c < `to` of `radix` shorter spectra to one spectrum. Chunk c of the spectrum begins at
/// spectrum + c·stride.
PRK_REALTIME void prk_room_join(
    const prk_room_turns *turns, size_t from, size_t to, const float *const *rows, float *spectrum, size_t stride);

/// Reverses `prk_room_join`. The rows are `radix` times too large. The chunks of the spectrum are contiguous.
PRK_REALTIME void prk_room_part(
    const prk_room_turns *turns, size_t from, size_t to, const float *spectrum, float *const *rows);

/// Adds interleaved rows with a linear gain: y[i] += (from + step·i)·x[at + i] for i < n, with
/// x[j] = rows[j mod radix][j div radix]. `radix` is 1, 2, 4 or 8.
PRK_REALTIME void prk_room_weave(
    size_t radix, size_t at, size_t n, const float *const *rows, float from, float step, float *y);
