// What a Fourier transform of one length needs beside its data: factors computed in double precision, once.
#include "CKernels.h"

#include <math.h>
#include <stdlib.h>

prk_fourier *prk_fourier_create(size_t length) {
    if (length < 32 || length > 65536 || (length & (length - 1))) return NULL;
    const size_t m = length / 2;
    prk_fourier shape = {.length = length, .points = m};
    size_t bits = 0;
    while ((size_t)1 << bits < m) bits++;
    // What fits the first-level cache is bound by arithmetic: radix 4, whose passes need the fewest registers. Longer
    // transforms are bound by memory: radix 8, and 4·4 where 8·2 would remain.
    const int small = m <= 64 && bits % 2 == 0;
    for (size_t rest = bits; rest > 0; shape.passes++) {
        const size_t step = small || rest == 4 || rest == 2 ? 2 : 3;
        shape.radices[shape.passes] = (size_t)1 << step;
        rest -= step;
    }
    size_t turns = 0;
    for (size_t n = m, pass = 0; pass < shape.passes; n /= shape.radices[pass++])
        turns += 2 * (shape.radices[pass] - 1) * (n / shape.radices[pass]);
    prk_fourier *plan = malloc(sizeof *plan);
    float *factors = malloc((turns + 2 * (m / 2 + 1)) * sizeof(float));
    if (!plan || !factors) {
        free(plan);
        free(factors);
        return NULL;
    }
    *plan = shape;
    plan->turns = factors;
    plan->split = factors + turns;
    float *w = factors;
    for (size_t n = m, pass = 0; pass < shape.passes; n /= shape.radices[pass++])
        for (size_t p = 0; p < n / shape.radices[pass]; p++)
            for (size_t k = 1; k < shape.radices[pass]; k++) {
                const double angle = -2 * M_PI * (double)(k * p) / (double)n;
                *w++ = (float)cos(angle);
                *w++ = (float)sin(angle);
            }
    for (size_t k = 0; k <= m / 2; k++) {
        const double angle = -2 * M_PI * (double)k / (double)length;
        *w++ = (float)cos(angle);
        *w++ = (float)sin(angle);
    }
    return plan;
}

void prk_fourier_destroy(prk_fourier *plan) {
    if (!plan) return;
    free(plan->turns);
    free(plan);
}
