// What a Fourier transform of one length needs beside its data: factors computed in double precision, once.
#include "CKernels.h"

#include <math.h>
#include <stdlib.h>

prk_fourier *prk_fourier_create(size_t length) {
    if (length < 32 || length > 65536 || (length & (length - 1))) return NULL;
    const size_t m = length / 2;
    size_t turns = 0;
    for (size_t n = m; n >= 4; n /= 4) turns += 6 * (n / 4);
    prk_fourier *plan = malloc(sizeof *plan);
    float *factors = malloc((turns + 2 * (m / 2 + 1)) * sizeof(float));
    if (!plan || !factors) {
        free(plan);
        free(factors);
        return NULL;
    }
    *plan = (prk_fourier){.length = length, .points = m, .turns = factors, .split = factors + turns};
    float *w = factors;
    for (size_t n = m; n >= 4; n /= 4)
        for (size_t p = 0; p < n / 4; p++)
            for (size_t k = 1; k <= 3; k++) {
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
