/// Engines to measure against: a good uniformly partitioned convolver on FFTW, and zita-convolver 4.
///
/// Both render `sources` inputs to two ears with filters of `taps` coefficients, `block` frames at a time, without
/// latency beyond the block. Not thread-safe. GPL libraries: this target is linked by the benchmarks and by nothing else.
#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Uniformly partitioned overlap-save on FFTW: spectra are summed over sources and partitions, so that a block costs one
/// forward transform per source and two inverse ones (four while filters fade).
typedef struct peer_fftw peer_fftw;

/// `rows` is the number of filter pairs the engine keeps as spectra; any source may use any of them. FFTW plans are made
/// patiently and only once per size. NULL if memory is short.
peer_fftw *peer_fftw_create(size_t sources, size_t block, size_t taps, size_t rows);
void peer_fftw_destroy(peer_fftw *);

/// Transforms one pair of filters (`taps` floats each) into a row.
void peer_fftw_set(peer_fftw *, size_t row, const float *left, const float *right);

/// One block with fixed filters: source s uses row `rows[s]`.
void peer_fftw_static(peer_fftw *, const float *const *inputs, const size_t *rows, float *left, float *right);

/// One block that fades linearly from each source's old row to its new one: frame i hears i/block of the new.
void peer_fftw_moving(peer_fftw *, const float *const *inputs, const size_t *old_rows, const size_t *new_rows,
                      float *left, float *right);

/// zita-convolver 4, all partitions of one size and all work in the caller's thread.
typedef struct peer_zita peer_zita;

/// NULL if zita refuses the configuration.
peer_zita *peer_zita_create(size_t sources, size_t block, size_t taps);
void peer_zita_destroy(peer_zita *);

/// Sets one source's filters; only before the first block.
void peer_zita_set(peer_zita *, size_t source, const float *left, const float *right);

/// One block; 0, or zita's error.
int peer_zita_process(peer_zita *, const float *const *inputs, float *left, float *right);

#ifdef __cplusplus
}
#endif
