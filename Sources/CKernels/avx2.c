// AVX2 with FMA: x86-64 processors since 2013.
#include "CKernels.h"

#if defined(__x86_64__)
#define NATIVE 8
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#include "isa/kernels.inc"
#pragma clang attribute pop

#define TABLE prk_table_avx2
#define TABLE_NAME "avx2"
#include "isa/table.inc"
#endif
