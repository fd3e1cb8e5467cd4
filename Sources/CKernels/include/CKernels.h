/// The inner loops of the sound path: one source per kernel, compiled for every instruction set of the machine's
/// family and chosen once when the program is loaded.
///
/// The choice is the widest set the processor has; the environment variable PROSCENIUM_ISA=sse2|avx2|avx512 asks for
/// a narrower one (a set the processor lacks is refused). Every function here is total, neither locks nor allocates,
/// and gives the same bits for the same input on one instruction set whatever the alignment. Between sets the last
/// bits differ, because wider ones fuse multiplication and addition.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define PRK_REALTIME __attribute__((swift_attr("@_noLocks")))

#include "rooms.h"

/// Factors of a real Fourier transform of one length; immutable, shared by any number of threads.
typedef struct prk_fourier {
    size_t length;     // real samples, n
    size_t points;     // n / 2, complex points of the transform beneath and bins of the spectrum
    size_t passes;     // of the complex transform
    size_t radices[6]; // 8 or 4 each; their product is `points`
    float *turns;      // factors of the passes, in the order of use
    float *split;      // e^{−2πik/n}, k ≤ n/4: from the half-length complex transform to the real one
} prk_fourier;

/// Most filter states that one spectral sum serves.
#define PRK_MAXIMUM_STATES 3

/// The sum over partitions, groups and lanes of input spectra times the filters of several states, for two ears.
///
/// `groups` × lanes sources stand in the lanes of registers; spectra are [bin][re, im][lane] with `bins` = n/2, bin 0
/// holding the zero frequency as its real and half the sample rate as its imaginary part. Strides count floats;
/// all blocks are 64-byte aligned.
typedef struct prk_spectral_sum {
    size_t bins, groups, partitions, states;
    size_t group_stride;         // from one group's spectrum to the next, in inputs and filters
    size_t partition_stride;     // from one partition to the next, in filters
    size_t ear_stride;           // from the left ear to the right, in filters
    const float *const *inputs;  // [partition] → [group][bin][re, im][lane]
    const float *filters[PRK_MAXIMUM_STATES]; // [state] → [ear][partition][group][bin][re, im][lane]
    float *result;               // [bin][re, im][result_lanes]; lanes 2·state + ear are written
    size_t result_lanes;
    int onto;                    // not 0: add to what result holds
} prk_spectral_sum;

/// How one arrangement of an odd-frequency transform works: passes and factors.
typedef struct prk_odd_shape {
    size_t passes;
    size_t radices[8];
    float *factors; // of the passes, in the order of use
    float *twist;   // [point][cos, −sin] of a turn by π·point/(2·points)
    float *across;  // [row][re, im][column], between the passes down the columns and the transform across
} prk_odd_shape;

/// Factors of transforms of real rows at odd frequencies, of one length; immutable, shared by any number of threads.
typedef struct prk_odd {
    size_t length;                              // real samples, n
    size_t bins;                                // n / 2
    prk_odd_shape lanes, columns_4, columns_8;  // one, four and eight columns (the last may be absent)
    uint16_t *order;                            // [bin]: where passes in place leave it
} prk_odd;

/// Rows up to this long may be transformed in lanes, where there are many of them.
#define PRK_LONGEST_IN_LANES 400

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
    int onto;                     // not 0: add to what the results hold
} prk_products;

/// Kernels for one number of lanes.
typedef struct prk_lane_kernels {
    size_t lanes;
    void (*forward)(const prk_fourier *plan, const float *low, const float *high, float *spectrum, float *work);
    void (*inverse)(const prk_fourier *plan, const float *spectrum, float *y, float *work);
    void (*spectral_sum)(const prk_spectral_sum *job);
    void (*interleave)(size_t n, const float *const *rows, float *y);
} prk_lane_kernels;

/// Kernels of one instruction set. Rows in the order of the functions below, which say what each does.
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
    void (*pick_ears)(size_t n, size_t lanes, const float *x, float *left, float *right);
    void (*fade_ears)(size_t n, size_t lanes, float from, float step, const float *x, float *left, float *right);
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
    prk_lane_kernels lanes[3];
    prk_room_kernels rooms;
} prk_table;

/// The kernels of the instruction set called `name`, or NULL where the processor or the build lacks it.
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

/// y[i] = x[i]·(from + (to − from)·i/n): a linear gain ramp that would reach `to` at frame n; y may be x.
PRK_REALTIME void prk_ramp(size_t n, float from, float to, const float *x, float *y);

/// The largest |x[i]|; 0 for n = 0. NaN is skipped.
PRK_REALTIME float prk_peak(size_t n, const float *x);

/// Σ x[i]², accumulated in double precision.
PRK_REALTIME double prk_energy(size_t n, const float *x);

/// Copies x to y with 0 in place of infinities and NaN; returns how many there were. y may be x.
PRK_REALTIME size_t prk_cleanse(size_t n, const float *x, float *y);

/// y[i] = the largest |rows[r][i]| over r < count.
PRK_REALTIME void prk_envelope(size_t n, size_t count, const float *const *rows, float *y);

/// Mixes `count` ≤ 15 rows by a square matrix that moves linearly in time, as a sound field's degree is turned:
/// y[r][i] = Σ_c (from[r][c] + w·change[r][c])·x[c][i] with w = step·(first + i) for i < n; `change` may be NULL for a
/// matrix that stands still. Neither rows of y nor of x overlap; with `first` moved along, rows may be cut anywhere.
/// Cost: 2·count² multiply-adds per column, or count² where nothing moves.
PRK_REALTIME void prk_turn(
    size_t n, size_t count, const float *const *x, const float *from, const float *change, size_t first, float step,
    float *const *y);

/// Takes the ears of one state from a result in lanes: left[i] = x[i][0], right[i] = x[i][1]; x is [frame][lanes].
PRK_REALTIME void prk_pick_ears(size_t n, size_t lanes, const float *x, float *left, float *right);

/// Fades linearly between two neighbouring states: left[i] = x[i][0] + w·(x[i][2] − x[i][0]), right likewise from
/// lanes 1 and 3, with w = from + step·i.
PRK_REALTIME void prk_fade_ears(
    size_t n, size_t lanes, float from, float step, const float *x, float *left, float *right);

/// Factors for real transforms of `length` samples (a power of two, 32…65536); NULL for other lengths or without
/// memory. Not for the audio thread.
prk_fourier *prk_fourier_create(size_t length);

/// Frees what prk_fourier_create returned; NULL is allowed.
void prk_fourier_destroy(prk_fourier *plan);

/// Floats of work area that a transform of `length` samples in `lanes` lanes needs.
static inline size_t prk_fourier_work(size_t length, size_t lanes) { return 2 * length * lanes; }

/// Real to spectrum in 4, 8 or 16 lanes: low and high are the first and second half of the samples, each
/// [n/2 frames][lane]; high may be NULL for zeros. No scaling. All areas 64-byte aligned and distinct.
PRK_REALTIME void prk_fourier_forward(
    const prk_fourier *plan, size_t lanes, const float *low, const float *high, float *spectrum, float *work);

/// Spectrum to n real samples, y[frame][lane], n times the signal whose spectrum it is. Areas as above.
PRK_REALTIME void prk_fourier_inverse(
    const prk_fourier *plan, size_t lanes, const float *spectrum, float *y, float *work);

/// See prk_spectral_sum; lanes are those of inputs and filters. Cost: 4·partitions·groups·states·2 multiply-adds of
/// registers per bin.
PRK_REALTIME void prk_sum_spectra(size_t lanes, const prk_spectral_sum *job);

/// y[i][lane] = rows[lane][i] for i < n and all `lanes` rows.
PRK_REALTIME void prk_interleave(size_t lanes, size_t n, const float *const *rows, float *y);

/// Factors for odd-frequency transforms of rows of `length` samples: 2^a, 3·2^a or 5·2^a, a multiple of 32 up to 131072; NULL
/// for other lengths or without memory. Not for the audio thread.
prk_odd *prk_odd_create(size_t length);

/// Frees what prk_odd_create returned; NULL is allowed.
void prk_odd_destroy(prk_odd *plan);

/// Floats of work area that transforms of a length need, 64-byte aligned.
static inline size_t prk_odd_work(size_t length) { return (length <= PRK_LONGEST_IN_LANES ? 32 : 8) * length; }

/// `count` rows of n samples to spectra at odd frequencies (Vernet, Proc. IEEE 59, 1971, p. 1531), chunks of 16 bins `stride`
/// floats apart (32 for a spectrum by itself):
/// X[k] = Σ_j (x[j] − i·x[j + n/2])·e^{−iπj/n}·e^{−2πijk/(n/2)} = Σ_{j<n} x[j]·e^{−iθ_k j}, θ_k = 2π(2k + ½)/n, k < n/2.
/// Rows may stand anywhere; spectra and work 64-byte aligned, apart from each other and the rows.
PRK_REALTIME void prk_odd_forward(
    const prk_odd *plan, size_t count, const float *const *rows, float *const *spectra, size_t stride, float *work);

/// `count` spectra to samples from…from + frames ≤ n of their rows, n/2 times as large. Areas as above.
PRK_REALTIME void prk_odd_inverse(
    const prk_odd *plan, size_t count, const float *const *spectra, size_t stride, size_t from, size_t frames,
    float *const *rows, float *work);

/// See prk_products. Cost: 8·states·terms multiply-adds per bin; results are the same bits for the same terms in order.
PRK_REALTIME void prk_sum_products(const prk_products *job);
