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
