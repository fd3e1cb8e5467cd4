/// What the FFTW baseline's files share.
#pragma once
#include <fftw3.h>
#include <stddef.h>

/// 64-byte aligned zeros; NULL if memory is short.
float *peer_zeros(size_t count);

/// The size of transforms of at least `least` samples that FFTW does fastest there and back; tried once per `least`.
size_t peer_best_size(size_t least);
