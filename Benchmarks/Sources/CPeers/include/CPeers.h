/// Engines to measure against, and a reference in double precision to hold all of them to.
///
/// zita-convolver and FFTW are GPL: this target is linked by the benchmarks and by nothing else. Nothing here is
/// thread-safe; engines render `sources` inputs to two ears without latency beyond their block.
#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The peers' versions, as they say them.
const char *peer_fftw_version(void);
int peer_zita_version(void);
void peer_mysofa_version(int *major, int *minor, int *patch);

/// How the FFTW baseline divides its filters.
typedef enum peer_form {
    /// Uniformly partitioned overlap-save: transforms of two blocks, ⌈taps/block⌉ partitions.
    PEER_PARTITIONED,
    /// One overlap-save transform of block + taps − 1 samples or more: of the sizes 2^a·3^b·5^c up to 1.25 times that, the
    /// one that FFTW does fastest there and back.
    PEER_SINGLE
} peer_form;

/// What a good engineer writes on FFTW: patient plans; input spectra shared by all filters that hear them; products
/// summed over sources and partitions with 16 bins in registers, so that a block costs one forward transform per
/// source and two inverse ones for each state of the filters.
typedef struct peer_fftw peer_fftw;

/// `rows` is the number of filter pairs kept as spectra; any source may use any of them. `states` (1 to 3) is the
/// number of filter states heard in one block. NULL if memory is short.
peer_fftw *peer_fftw_create(peer_form form, size_t sources, size_t block, size_t taps, size_t rows, size_t states);
void peer_fftw_destroy(peer_fftw *);

/// Samples of its transforms.
size_t peer_fftw_size(const peer_fftw *);
/// Bytes of its table of filters.
size_t peer_fftw_table_bytes(const peer_fftw *);

/// Transforms one pair of filters (`taps` floats each) into a row.
void peer_fftw_set(peer_fftw *, size_t row, const float *left, const float *right);

/// With two states: lets a fade span `frames`, a multiple of the block; 0 without memory.
int peer_fftw_fade_over(peer_fftw *, size_t frames);
/// How many frames of such a fade lie before the next block.
void peer_fftw_elapsed(peer_fftw *, size_t frames);

/// One block: source s uses row `rows[state·sources + s]` in each state. With several states the block fades linearly
/// from each to the next in equal parts: frame i of a part of f frames hears i/f of the next.
void peer_fftw_process(peer_fftw *, const float *const *inputs, const size_t *rows, float *left, float *right);

/// One FFTW transform of real samples, patiently planned.
typedef struct peer_transform peer_transform;
peer_transform *peer_transform_create(size_t size);
void peer_transform_destroy(peer_transform *);
/// `size` samples to size/2 + 1 pairs of real and imaginary parts; both areas 64-byte aligned.
void peer_transform_forward(peer_transform *, const float *samples, float *pairs);
/// The way back, times `size`; destroys `pairs`.
void peer_transform_inverse(peer_transform *, float *pairs, float *samples);

/// Keeps what FFTW learnt in a file, so that a second run plans at once. 1 if it was read.
int peer_wisdom_read(const char *path);
int peer_wisdom_write(const char *path);

/// zita-convolver 4.
typedef struct peer_zita peer_zita;

/// Partitions of `block` up to `largest` frames (the same: uniform, all work in the caller's thread). NULL if zita refuses.
peer_zita *peer_zita_create(size_t sources, size_t block, size_t largest, size_t taps);
void peer_zita_destroy(peer_zita *);
/// Sets one source's filters; only before the first block.
void peer_zita_set(peer_zita *, size_t source, const float *left, const float *right);
/// One block; 0, or zita's error.
int peer_zita_process(peer_zita *, const float *const *inputs, float *left, float *right);

/// libmysofa's way from a file to filters.
typedef struct peer_mysofa peer_mysofa;

/// Opens a file at a sample rate; NULL with the library's error in `error`. `taps` receives the length of its filters.
peer_mysofa *peer_mysofa_open(const char *path, float rate, int *taps, int *error);
void peer_mysofa_close(peer_mysofa *);
/// Reads a file whole, checks nothing, and lets it go; 1 where it was read, else 0 with the library's error in `error`.
int peer_mysofa_load(const char *path, int *error);
/// The pair of filters for a direction (x front, y left, z up), interpolated.
void peer_mysofa_filter(peer_mysofa *, float x, float y, float z, float *left, float *right);

/// Σ_k h[k]·x[i − k] for i < count in double precision; x is the sample at i = 0 and is preceded by taps − 1 others.
/// Added to y.
void peer_direct(size_t count, size_t taps, const double *x, const float *h, double *y);

#ifdef __cplusplus
}
#endif
