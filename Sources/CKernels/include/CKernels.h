/// Inner loops of the signal path. Each kernel has one source, which is compiled for every instruction set of the
/// machine's family. One set is chosen when the program is loaded.
///
/// The default is the widest set of the processor. The environment variable PROSCENIUM_ISA=sse2|avx2|avx512 selects a
/// narrower set; a set that the processor does not have ends the program. No PRK_REALTIME function fails, locks or
/// allocates. On one instruction set, each function gives the same bits for the same input at any alignment. Between
/// sets the last bits may differ, because wider sets fuse multiplication and addition.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define PRK_REALTIME __attribute__((swift_attr("@_noLocks")))

#include "rooms.h"
#include "upmix.h"
#include "matrix.h"

/// Passes and factors of an odd-frequency transform with one number of columns.
typedef struct prk_odd_shape {
    size_t passes;
    size_t radices[8];
    float *factors; // factors of the passes, in the order of use
    float *twist;   // [point][cos, −sin] of the angle π·point/(2·points)
    float *across;  // [row][re, im][column]: factors after the passes down the columns, before the transform across
} prk_odd_shape;

/// Factors of odd-frequency transforms of real rows of one length. They are immutable, so that any number of threads
/// may share them.
typedef struct prk_odd {
    size_t length;                       // number of real samples, n
    size_t bins;                         // n / 2
    prk_odd_shape columns_4, columns_8;  // four and eight columns; see prk_odd_has_eight_columns
} prk_odd;

/// Returns whether a plan has factors for eight columns.
static inline int prk_odd_has_eight_columns(const prk_odd *plan) { return plan->bins >= 64 && plan->bins % 32 == 0; }

/// Job: the sum over terms of input spectra times filters, for two ears and one or two states of the filters.
///
/// Spectra consist of chunks of 16 bins, [chunk][re 16][im 16]. Filters are [chunk][left re 16][left im 16]
/// [right re 16][right im 16]. Strides are numbers of floats from one chunk to the next. All memory is 64-byte aligned.
typedef struct prk_products {
    size_t bins;                  // a multiple of 16
    size_t terms, states;         // number of terms; number of states, 1 or 2
    const float *const *inputs;   // [term]: input spectra
    const float *const *filters;  // [state][term]: filters
    size_t input_stride;          // 32 for a contiguous spectrum
    size_t filter_stride;         // 64 for a contiguous filter
    float *const *results;        // [state][ear]: spectra of stride 32
    int onto;                     // 0: the results are overwritten; otherwise the sum is added to them
} prk_products;

/// Job: the filters of one source for two ears, as a sum of the spectra of neighbouring directions that are weighted,
/// delayed and scaled.
///
/// A delay of d samples is the phase e^{−iθ_k d}, limited in bandwidth by the spectrum of an interpolator. An
/// interpolator sampled at the fraction f of a sample has the spectrum main + e^{2πif}·image, where main is the
/// interpolator's spectrum at θ_k, and image is the interpolator's spectrum at θ_k − 2π. Below chunk `blend_from` this
/// sum is 1; from chunk `blend_to` on it is e^{2πif}. For the chunks between them, `images` holds both parts: [chunk −
/// blend_from][main 16][image 16].
typedef struct prk_steering {
    size_t bins;            // a multiple of 16
    size_t count;           // number of neighbours, 1…4
    const float *rows[4];   // binaural spectra of the neighbours, stride 64
    float weights[4];
    float gain;
    int delayed;            // 0: the filters are not delayed, and the members from delays to images are unused
    double delays[2];       // left and right, samples, 0…4·bins
    // Delayed values are multiplied by 1 + stretch·square. `stretch` is for left and right; if both are 0, nothing is
    // multiplied. `squares` is [bin]: θ_k², folded at the Nyquist frequency.
    float stretch[2];
    const float *squares;
    size_t blend_from, blend_to; // numbers of chunks of 16 bins
    const float *images;
    // Low parts of a response follow these bins in every row and in the result: `low_parts` times `low_chunks` chunks
    // of 16 bins. Their angles are those of bins −8·low_chunks…8·low_chunks − 1. `low_squares` is [bin]: the squares of
    // these angles. `low_parts` may be 0.
    size_t low_parts, low_chunks;
    const float *low_squares;
    const float *coming[4]; // rows that the next call reads; this call prefetches them into the cache
    int onto;               // 0: the result is overwritten; otherwise the sum is added to it
    float *result;          // binaural spectrum
    size_t stride;          // number of floats from one chunk of the result to the next
} prk_steering;

/// Job: the low bins of a spectrum, −8·chunks…8·chunks − 1, and rows of these bins alone: [chunk][re 16][im 16].
///
/// Strides are numbers of floats from one chunk to the next. `step` is the number of floats from one row to the next,
/// both in the spectra and in the rows of low bins.
typedef struct prk_low_bins {
    size_t bins;     // number of bins of a whole spectrum, a multiple of 16
    size_t chunks;   // number of chunks of 16 low bins
    size_t rows;
    size_t stride;   // stride of the spectra
    size_t low_stride;
    size_t step;
} prk_low_bins;

/// Job: the energy of channels after two second-order sections, y = b·x − a·y with a₀ = 1, in double precision.
typedef struct prk_weighting {
    size_t count;             // number of frames
    size_t channels;          // a multiple of 16
    const float *const *rows; // [channel]: samples, all of them finite
    double shelf[5];          // coefficients b0 b1 b2 a1 a2
    double high_pass[5];
    double *states;           // [4][channel]: states of the filters; updated
    double *energies;         // [channel]: the energy of the frames is added
} prk_weighting;

/// Kernels of one instruction set. The functions below document them.
typedef struct prk_table {
    const char *name;
    void (*fir)(size_t n, size_t taps, const float *x, const float *h, float *y);
    void (*blend)(size_t n, size_t count, const float *const *rows, const float *weights, float *y);
    void (*multiply_add)(size_t n, float gain, const float *x, float *y);
    void (*scale)(size_t n, float gain, const float *x, float *y);
    void (*ramp)(size_t n, float from, float to, const float *x, float *y);
    float (*peak)(size_t n, const float *x);
    double (*energy)(size_t n, const float *x);
    size_t (*cleanse)(size_t n, const float *x, float *y);
    size_t (*take)(size_t n, const float *x, float *y, float *peak);
    void (*envelope)(size_t n, size_t count, const float *const *rows, float *y);
    void (*turn)(
        size_t n, size_t count, const float *const *x, const float *from, const float *change, size_t first,
        float step, float *const *y);
    void (*odd_forward)(
        const prk_odd *plan, size_t count, const float *const *rows, float *const *spectra, size_t stride, float *work);
    void (*odd_inverse)(
        const prk_odd *plan, size_t count, const float *const *spectra, size_t stride, size_t from, size_t frames,
        float *const *rows, float *work);
    void (*sum_products)(const prk_products *job);
    void (*steer)(const prk_steering *job);
    void (*gather_low)(const prk_low_bins *job, const float *spectra, float *low);
    void (*add_low)(const prk_low_bins *job, const float *low, float *spectra);
    void (*cross_fade)(size_t n, float from, float step, const float *a, const float *b, float *y);
    void (*multiply)(size_t n, const float *x, const float *w, float *y);
    void (*weigh)(const prk_weighting *job);
    prk_room_kernels rooms;
    prk_upmix_kernels upmix;
    prk_matrix_kernels matrix;
} prk_table;

/// Returns the kernels of the instruction set called `name`, or NULL if the processor or the build does not have it.
/// For tests and benchmarks; the functions below use the set that was chosen when the program was loaded.
const prk_table *prk_table_named(const char *name);

/// Returns the name of the instruction set that was chosen when the program was loaded.
const char *prk_instruction_set(void);

/// Finite impulse response: y[i] = Σ_k h[k]·x[i + taps − 1 − k] for i < n. x holds n + taps − 1 values.
PRK_REALTIME void prk_fir(size_t n, size_t taps, const float *x, const float *h, float *y);

/// Weighted sum of rows: y[i] = Σ_r weights[r]·rows[r][i] for r < count. If count is 0, y is set to 0.
PRK_REALTIME void prk_blend(size_t n, size_t count, const float *const *rows, const float *weights, float *y);

/// y[i] += gain·x[i].
PRK_REALTIME void prk_multiply_add(size_t n, float gain, const float *x, float *y);

/// y[i] = gain·x[i]; y may be x.
PRK_REALTIME void prk_scale(size_t n, float gain, const float *x, float *y);

/// y[i] = x[i]·w[i]; y may be x.
PRK_REALTIME void prk_multiply(size_t n, const float *x, const float *w, float *y);

/// y[i] = x[i]·(from + (to − from)·i/n): a linear gain ramp that reaches `to` at frame n, after the last frame. y may
/// be x.
PRK_REALTIME void prk_ramp(size_t n, float from, float to, const float *x, float *y);

/// Returns the largest |x[i]|; 0 if n = 0. NaN is ignored.
PRK_REALTIME float prk_peak(size_t n, const float *x);

/// Returns Σ x[i]², summed in double precision.
PRK_REALTIME double prk_energy(size_t n, const float *x);

/// Largest magnitude allowed in a signal path, 2^20 or +120.4 dBFS. No programme reaches it. After any filter, room and
/// gain, values still lie within the range of single precision.
#define PRK_LOUDEST 1048576.0f

/// Copies x to y. Infinities and NaN are replaced by 0, and magnitudes above PRK_LOUDEST by ±PRK_LOUDEST. Returns the
/// number of replaced samples. y may be x.
PRK_REALTIME size_t prk_cleanse(size_t n, const float *x, float *y);

/// Copies x to y as prk_cleanse does, and sets *peak to the largest |y[i]|, or to 0 if n = 0. y may be x; otherwise
/// they must not overlap.
PRK_REALTIME size_t prk_take(size_t n, const float *x, float *y, float *peak);

/// y[i] = the largest |rows[r][i]| for r < count; 0 if count is 0.
PRK_REALTIME void prk_envelope(size_t n, size_t count, const float *const *rows, float *y);

/// Multiplies `count` ≤ 15 rows by a square matrix that changes linearly over time, to rotate one degree of a sound
/// field: y[r][i] = Σ_c (from[r][c] + w·change[r][c])·x[c][i] with w = step·(first + i) for i < n. If `change` is NULL,
/// the matrix is constant. Rows of x and y must not overlap. Rows may be divided into calls anywhere; `first` is then
/// the number of frames before the call. Cost: 2·count² multiply-adds per frame, or count² for a constant matrix.
PRK_REALTIME void prk_turn(
    size_t n, size_t count, const float *const *x, const float *from, const float *change, size_t first, float step,
    float *const *y);

/// Creates the factors for odd-frequency transforms of rows of `length` samples. Lengths are 2^a, 3·2^a or 5·2^a, a
/// multiple of 32, up to 131072. Returns NULL for other lengths or if memory is insufficient. The caller frees the
/// factors with prk_odd_destroy. Not for the audio thread.
prk_odd *prk_odd_create(size_t length);

/// Frees factors from prk_odd_create. `plan` may be NULL.
void prk_odd_destroy(prk_odd *plan);

/// Returns the number of floats in the work area of a transform of `length` samples. The work area must be 64-byte
/// aligned.
static inline size_t prk_odd_work(size_t length) { return 8 * length; }

/// Transforms `count` rows of n samples to spectra at odd frequencies (Vernet, Proc. IEEE 59, 1971, p. 1531). Chunks of
/// 16 bins are `stride` floats apart; a contiguous spectrum has stride 32. For k < n/2 and θ_k = 2π(2k + ½)/n:
/// X[k] = Σ_j (x[j] − i·x[j + n/2])·e^{−iπj/n}·e^{−2πijk/(n/2)} = Σ_{j<n} x[j]·e^{−iθ_k j}.
/// Rows may have any alignment. Spectra and the work area are 64-byte aligned. They must not overlap each other or the
/// rows.
PRK_REALTIME void prk_odd_forward(
    const prk_odd *plan, size_t count, const float *const *rows, float *const *spectra, size_t stride, float *work);

/// Transforms `count` spectra to the samples from ≤ j < from + frames of their rows, where from + frames ≤ n. The
/// samples are n/2 times too large. The rules of prk_odd_forward for alignment and overlap apply.
PRK_REALTIME void prk_odd_inverse(
    const prk_odd *plan, size_t count, const float *const *spectra, size_t stride, size_t from, size_t frames,
    float *const *rows, float *work);

/// See prk_products. Cost: 8·states·terms multiply-adds per bin. The same terms in the same order give the same bits.
PRK_REALTIME void prk_sum_products(const prk_products *job);

/// See prk_steering. Cost: 8·count + 40 operations per two bins. 16·count bytes are read per bin.
PRK_REALTIME void prk_steer(const prk_steering *job);

/// Copies the low bins of spectra to rows of low bins.
PRK_REALTIME void prk_gather_low(const prk_low_bins *job, const float *spectra, float *low);

/// Adds rows of low bins to the low bins of spectra.
PRK_REALTIME void prk_add_low(const prk_low_bins *job, const float *low, float *spectra);

/// See prk_weighting. A stream may be divided into calls anywhere. Cost: 10 multiply-adds per sample.
PRK_REALTIME void prk_weigh(const prk_weighting *job);

/// y[i] = a[i] + w·(b[i] − a[i]) with w = from + step·i.
PRK_REALTIME void prk_cross_fade(size_t n, float from, float step, const float *a, const float *b, float *y);
