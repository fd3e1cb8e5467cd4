// Instruction set of every processor of the family: SSE2 on x86-64, and plain C elsewhere.
#include "CKernels.h"

#define NATIVE 4
#include "isa/kernels.inc"

#define TABLE prk_table_baseline
#if defined(__x86_64__)
#define TABLE_NAME "sse2"
#else
#define TABLE_NAME "portable"
#endif
#include "isa/table.inc"
