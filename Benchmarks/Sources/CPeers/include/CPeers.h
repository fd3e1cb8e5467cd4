/// Engines for comparison, and direct convolution in double precision as the reference for all of them.
///
/// zita-convolver and FFTW are GPL: only the benchmarks link this target. Nothing here is thread-safe. Engines render
/// `sources` inputs to two ears without latency beyond their block.
#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Versions of the peers, as the libraries report them.
const char *peer_fftw_version(void);
int peer_zita_version(void);
void peer_mysofa_version(int *major, int *minor, int *patch);

/// Partition of the FFTW baseline's filters.
typedef enum peer_form {
    /// Uniformly partitioned overlap-save: transforms of two blocks, ⌈taps/block⌉ partitions.
    PEER_PARTITIONED,
    /// One overlap-save transform of block + taps − 1 samples or more: of the sizes 2^a·3^b·5^c up to 1.25 times that,
    /// the one whose forward and inverse transforms are fastest in FFTW.
    PEER_SINGLE
} peer_form;

/// A careful implementation on FFTW: patient plans; one input spectrum per source for all filters; products summed over
/// sources and partitions with 16 bins in registers. A block costs one forward transform per source and two inverse
/// transforms per filter state.
typedef struct peer_fftw peer_fftw;

/// Creates an engine with `rows` filter pairs, kept as spectra; any source may use any row. `states` (1 to 3) is the
/// number of filter states in one block. NULL if memory is short.
peer_fftw *peer_fftw_create(peer_form form, size_t sources, size_t block, size_t taps, size_t rows, size_t states);
void peer_fftw_destroy(peer_fftw *);

/// Returns the samples per transform.
size_t peer_fftw_size(const peer_fftw *);
/// Returns the size of the filter table, bytes.
size_t peer_fftw_table_bytes(const peer_fftw *);

/// Transforms one pair of filters (`taps` floats each) into a row.
void peer_fftw_set(peer_fftw *, size_t row, const float *left, const float *right);

/// With two states: sets the length of a fade, `frames`, a multiple of the block; returns 0 if memory is short.
int peer_fftw_fade_over(peer_fftw *, size_t frames);
/// Sets how many frames of such a fade precede the next block.
void peer_fftw_elapsed(peer_fftw *, size_t frames);

/// Renders one block: source s uses row `rows[state·sources + s]` in each state. With several states the block fades
/// linearly from each to the next in equal parts: in a part of f frames, frame i has weight i/f of the next state.
void peer_fftw_process(peer_fftw *, const float *const *inputs, const size_t *rows, float *left, float *right);

/// One FFTW transform of real samples, with a patient plan.
typedef struct peer_transform peer_transform;
peer_transform *peer_transform_create(size_t size);
void peer_transform_destroy(peer_transform *);
/// Transforms `size` samples to size/2 + 1 pairs of real and imaginary parts; both buffers aligned to 64 bytes.
void peer_transform_forward(peer_transform *, const float *samples, float *pairs);
/// Transforms back, scaled by `size`; destroys `pairs`.
void peer_transform_inverse(peer_transform *, float *pairs, float *samples);

/// Reads FFTW's plans from a file, so that a second run need not search for them. Returns 1 if the file was read.
int peer_wisdom_read(const char *path);
int peer_wisdom_write(const char *path);

/// zita-convolver 4.
typedef struct peer_zita peer_zita;

/// Creates an engine with partitions of `block` up to `largest` frames (equal: uniform, all work in the caller's
/// thread). NULL if zita refuses.
peer_zita *peer_zita_create(size_t sources, size_t block, size_t largest, size_t taps);
void peer_zita_destroy(peer_zita *);
/// Sets one source's filters; only before the first block.
void peer_zita_set(peer_zita *, size_t source, const float *left, const float *right);
/// Renders one block; returns 0, or zita's error.
int peer_zita_process(peer_zita *, const float *const *inputs, float *left, float *right);

/// Filters from a file by libmysofa.
typedef struct peer_mysofa peer_mysofa;

/// Opens a file at a sample rate; NULL on failure, with the library's error in `error`. `taps` receives the length of
/// the filters.
peer_mysofa *peer_mysofa_open(const char *path, float rate, int *taps, int *error);
void peer_mysofa_close(peer_mysofa *);
/// Reads a whole file without checks and frees it; returns 1, or 0 with the library's error in `error`.
int peer_mysofa_load(const char *path, int *error);
/// Computes the interpolated pair of filters for a direction (x front, y left, z up).
void peer_mysofa_filter(peer_mysofa *, float x, float y, float z, float *left, float *right);

/// Adds Σ_k h[k]·x[i − k] to y for i < count, in double precision; x points to the sample at i = 0, after taps − 1
/// others.
void peer_direct(size_t count, size_t taps, const double *x, const float *h, double *y);

#ifdef __cplusplus
}
#endif
