/// Declarations shared by the files of the FFTW baseline.
#pragma once
#include <fftw3.h>
#include <stddef.h>

/// Returns `count` zeros, aligned to 64 bytes; NULL if memory is short.
float *peer_zeros(size_t count);

/// Returns the size of at least `least` samples whose forward and inverse transforms are fastest in FFTW; measured once
/// per `least`.
size_t peer_best_size(size_t least);
