// AVX-512: Skylake-X, Zen 4 and later processors. The compiler is to prefer registers of 512 bits.
#include "CKernels.h"

#if defined(__x86_64__)
#define NATIVE 16
#pragma clang attribute push(                                                                                        \
    __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma"), min_vector_width(512))), apply_to = function)
#include "isa/kernels.inc"
#pragma clang attribute pop

#define TABLE prk_table_avx512
#define TABLE_NAME "avx512"
#include "isa/table.inc"
#endif
