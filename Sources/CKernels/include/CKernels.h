/// Inner loops of the sound path. Each kernel has one source, compiled for every instruction set of the machine's
/// family; the set is chosen once, when the program is loaded.
///
/// The choice is the processor's widest set. The environment variable PROSCENIUM_ISA=sse2|avx2|avx512 selects a
/// narrower one; a set that the processor lacks ends the program. No PRK_REALTIME function fails, locks or allocates.
/// Each gives the same bits for the same input on one instruction set, whatever the alignment. Between sets the last
/// bits differ, because wider ones fuse multiplication and addition.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define PRK_REALTIME __attribute__((swift_attr("@_noLocks")))

#include "rooms.h"
#include "upmix.h"
#include "matrix.h"

/// Passes and factors of one arrangement of an odd-frequency transform.
typedef struct prk_odd_shape {
    size_t passes;
    size_t radices[8];
    float *factors; // of the passes, in the order of use
    float *twist;   // [point][cos, −sin] of a turn by π·point/(2·points)
    float *across;  // [row][re, im][column]: between the passes down the columns and the transform across
} prk_odd_shape;

/// Factors of transforms of real rows at odd frequencies, of one length; immutable, shared by any number of threads.
typedef struct prk_odd {
    size_t length;                       // real samples, n
    size_t bins;                         // n / 2
    prk_odd_shape columns_4, columns_8;  // for four and for eight columns (the latter may be absent)
} prk_odd;

/// Whether a plan has factors for eight columns.
static inline int prk_odd_has_eight_columns(const prk_odd *plan) { return plan->bins >= 64 && plan->bins % 32 == 0; }

/// The sum over terms of input spectra times filters, for two ears and one or two states of the filters.
///
/// Spectra come in chunks of 16 bins: [chunk][re 16][im 16]; filters [chunk][left re 16][left im 16][right re 16]
/// [right im 16]. Strides count floats from one chunk to the next; all is 64-byte aligned.
typedef struct prk_products {
    size_t bins;                  // a multiple of 16
    size_t terms, states;         // states: 1 or 2
    const float *const *inputs;   // [term]
    const float *const *filters;  // [state][term]
    size_t input_stride;          // 32 for a spectrum by itself
    size_t filter_stride;         // 64 for a filter by itself
    float *const *results;        // [state][ear] spectra, stride 32
    int onto;                     // not 0: add to the results
} prk_products;

/// Filters of one source for two ears: neighbours' spectra, weighted, delayed and scaled.
///
/// A delay d is a phase e^{−iθ_k d}, band-limited by the spectrum of an interpolator. An interpolator sampled at
/// fraction f of a sample has the spectrum main + e^{2πif}·image: its own spectrum at θ_k and at θ_k − 2π. Below chunk
/// `blend_from` this sum is 1, from chunk `blend_to` on e^{2πif}. In between, `images` holds both parts:
/// [chunk − blend_from][main 16][image 16].
typedef struct prk_steering {
    size_t bins;            // a multiple of 16
    size_t count;           // neighbours, 1…4
    const float *rows[4];   // their binaural spectra, stride 64
    float weights[4];
    float gain;
    int delayed;            // 0: no delays, and the members up to images are unused
    double delays[2];       // samples, left and right, 0…4·bins
    // Left and right, and [bin] θ_k² folded at the Nyquist frequency: values are multiplied by 1 + stretch·square.
    // Two zeros: no stretch.
    float stretch[2];
    const float *squares;
    size_t blend_from, blend_to; // chunks of 16 bins
    const float *images;
    // Behind these bins, of the low parts of a response: `low_parts` times `low_chunks` chunks of 16 bins, whose angles are those of
    // bins −8·low_chunks…8·low_chunks − 1, and [bin] their squares. 0 parts: none.
    size_t low_parts, low_chunks;
    const float *low_squares;
    const float *coming[4]; // rows that the next call reads, which are fetched meanwhile
    int onto;               // not 0: add to what the result holds
    float *result;          // binaural spectrum
    size_t stride;          // of the result, floats from chunk to chunk
} prk_steering;

/// The low bins of a spectrum, −8·chunks…8·chunks − 1, and where they stand by themselves: [chunk][re 16][im 16].
///
/// Strides count floats from one chunk to the next, `step` from one row to the next, in both.
typedef struct prk_low_bins {
    size_t bins;     // of a whole spectrum, a multiple of 16
    size_t chunks;   // of 16 low bins
    size_t rows;
    size_t stride;   // of spectra
    size_t low_stride;
    size_t step;
} prk_low_bins;

/// The energy of channels, each behind two sections of second order: y = b·x − a·y, a₀ = 1, in double precision.
typedef struct prk_weighting {
    size_t count;             // frames
    size_t channels;          // a multiple of 16
    const float *const *rows; // [channel], all finite
    double shelf[5];          // b0 b1 b2 a1 a2
    double high_pass[5];
    double *states;           // [4][channel]
    double *energies;         // [channel], added to
} prk_weighting;

/// Kernels of one instruction set, in the order of the functions below, which document them.
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

/// Returns the kernels of the instruction set called `name`, or NULL where the processor or the build lacks it.
/// For tests and benchmarks; the functions below use the set chosen at load.
const prk_table *prk_table_named(const char *name);

/// Name of the instruction set chosen at load.
const char *prk_instruction_set(void);

/// Finite impulse response: y[i] = Σ_k h[k]·x[i + taps − 1 − k] for i < n; x holds n + taps − 1 values.
PRK_REALTIME void prk_fir(size_t n, size_t taps, const float *x, const float *h, float *y);

/// Weighted sum of rows: y[i] = Σ_r weights[r]·rows[r][i], r < count; zeros when count is 0.
PRK_REALTIME void prk_blend(size_t n, size_t count, const float *const *rows, const float *weights, float *y);

/// y[i] += gain·x[i].
PRK_REALTIME void prk_multiply_add(size_t n, float gain, const float *x, float *y);

/// y[i] = gain·x[i]; y may be x.
PRK_REALTIME void prk_scale(size_t n, float gain, const float *x, float *y);

/// y[i] = x[i]·w[i]; y may be x.
PRK_REALTIME void prk_multiply(size_t n, const float *x, const float *w, float *y);

/// y[i] = x[i]·(from + (to − from)·i/n): a linear gain ramp that would reach `to` at frame n; y may be x.
PRK_REALTIME void prk_ramp(size_t n, float from, float to, const float *x, float *y);

/// The largest |x[i]|; 0 for n = 0. NaN is skipped.
PRK_REALTIME float prk_peak(size_t n, const float *x);

/// Σ x[i]², accumulated in double precision.
PRK_REALTIME double prk_energy(size_t n, const float *x);

/// Largest magnitude that enters a signal path, 2^20 or +120.4 dBFS. No programme reaches it, and its products stay
/// within single precision through every filter, room and gain.
#define PRK_LOUDEST 1048576.0f

/// Copies x to y with 0 in place of infinities and NaN, and ±PRK_LOUDEST in place of larger magnitudes; returns the
/// number of replaced samples. y may be x.
PRK_REALTIME size_t prk_cleanse(size_t n, const float *x, float *y);

/// As prk_cleanse; sets *peak to the largest |y[i]|, 0 for n = 0. x and y are the same or do not overlap.
PRK_REALTIME size_t prk_take(size_t n, const float *x, float *y, float *peak);

/// y[i] = the largest |rows[r][i]| over r < count.
PRK_REALTIME void prk_envelope(size_t n, size_t count, const float *const *rows, float *y);

/// Mixes `count` ≤ 15 rows by a square matrix that changes linearly in time, to rotate one degree of a sound field:
/// y[r][i] = Σ_c (from[r][c] + w·change[r][c])·x[c][i] with w = step·(first + i) for i < n; `change` may be NULL for a
/// constant matrix. Rows of x and y do not overlap; with `first` advanced, rows may be divided anywhere. Cost: 2·count²
/// multiply-adds per column, or count² for a constant matrix.
PRK_REALTIME void prk_turn(
    size_t n, size_t count, const float *const *x, const float *from, const float *change, size_t first, float step,
    float *const *y);

/// Factors for odd-frequency transforms of rows of `length` samples: 2^a, 3·2^a or 5·2^a, a multiple of 32 up to 131072; NULL
/// for other lengths or without memory. Not for the audio thread.
prk_odd *prk_odd_create(size_t length);

/// Frees what prk_odd_create returned; NULL is allowed.
void prk_odd_destroy(prk_odd *plan);

/// Floats of the work area for transforms of a length, 64-byte aligned.
static inline size_t prk_odd_work(size_t length) { return 8 * length; }

/// Transforms `count` rows of n samples to spectra at odd frequencies (Vernet, Proc. IEEE 59, 1971, p. 1531), whose
/// chunks of 16 bins are `stride` floats apart (32 for a contiguous spectrum). For k < n/2 and θ_k = 2π(2k + ½)/n:
/// X[k] = Σ_j (x[j] − i·x[j + n/2])·e^{−iπj/n}·e^{−2πijk/(n/2)} = Σ_{j<n} x[j]·e^{−iθ_k j}.
/// Rows have any alignment; spectra and work are 64-byte aligned, and overlap neither each other nor the rows.
PRK_REALTIME void prk_odd_forward(
    const prk_odd *plan, size_t count, const float *const *rows, float *const *spectra, size_t stride, float *work);

/// Transforms `count` spectra to samples from…from + frames ≤ n of their rows, scaled by n/2. Memory as above.
PRK_REALTIME void prk_odd_inverse(
    const prk_odd *plan, size_t count, const float *const *spectra, size_t stride, size_t from, size_t frames,
    float *const *rows, float *work);

/// See prk_products. Cost: 8·states·terms multiply-adds per bin; the same terms in the same order give the same bits.
PRK_REALTIME void prk_sum_products(const prk_products *job);

/// See prk_steering. Cost: 8·count + 40 operations per two bins; 16·count bytes read per bin.
PRK_REALTIME void prk_steer(const prk_steering *job);

/// Copies the low bins of spectra to rows of their own.
PRK_REALTIME void prk_gather_low(const prk_low_bins *job, const float *spectra, float *low);

/// Adds low bins in rows of their own to those of spectra.
PRK_REALTIME void prk_add_low(const prk_low_bins *job, const float *low, float *spectra);

/// See prk_weighting. A stream may be cut anywhere. Cost: 10 multiply-adds per sample.
PRK_REALTIME void prk_weigh(const prk_weighting *job);

/// y[i] = a[i] + w·(b[i] − a[i]) with w = from + step·i.
PRK_REALTIME void prk_cross_fade(size_t n, float from, float step, const float *a, const float *b, float *y);
