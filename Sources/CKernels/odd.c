// Factors of an odd-frequency transform of one length, computed in double precision.
#include "CKernels.h"

#include <math.h>
#include <stdlib.h>

/// Chooses the radices of a transform of `points` = 2^a·{1, 3, 5}: the odd factor first, then a two or fours if
/// necessary, then eights.
static void choose_radices(prk_odd_shape *shape, size_t points) {
    size_t rest = points, bits = 0;
    shape->passes = 0;
    if (rest % 5 == 0) shape->radices[shape->passes++] = 5, rest /= 5;
    else if (rest % 3 == 0) shape->radices[shape->passes++] = 3, rest /= 3;
    while ((size_t)1 << bits < rest) bits++;
    size_t eights = bits / 3;
    if (bits % 3 == 1 && eights == 0) {
        shape->radices[shape->passes++] = 2;
    } else if (bits % 3 == 1) {
        eights--;
        shape->radices[shape->passes++] = 4;
        shape->radices[shape->passes++] = 4;
    } else if (bits % 3 == 2) {
        shape->radices[shape->passes++] = 4;
    }
    while (eights--) shape->radices[shape->passes++] = 8;
}

/// Writes the real and imaginary part of a rotation by −2π·numerator/denominator. Returns the next address.
static float *turn(float *w, double numerator, double denominator) {
    const double angle = -2 * M_PI * fmod(numerator, denominator) / denominator;
    *w++ = (float)cos(angle);
    *w++ = (float)sin(angle);
    return w;
}

static int make_shape(prk_odd_shape *shape, size_t bins, size_t columns) {
    const size_t points = bins / columns;
    choose_radices(shape, points);
    size_t count = 0;
    for (size_t p = 0, n = points; p < shape->passes; n /= shape->radices[p++])
        count += 2 * (shape->radices[p] - 1) * (n / shape->radices[p]);
    shape->factors = malloc((count + 2 * points) * sizeof(float));
    // Kernels load rows of these factors into registers, so they are aligned.
    shape->across = aligned_alloc(64, (2 * bins * sizeof(float) + 63) / 64 * 64);
    if (!shape->factors || !shape->across) return 0;
    shape->twist = shape->factors + count;
    float *w = shape->factors;
    for (size_t p = 0, n = points; p < shape->passes; n /= shape->radices[p++])
        for (size_t t = 0; t < n / shape->radices[p]; t++)
            for (size_t k = 1; k < shape->radices[p]; k++) w = turn(w, (double)(t * k), (double)n);
    for (size_t r = 0; r < points; r++) w = turn(w, (double)r, 4.0 * (double)points);
    for (size_t k = 0; k < points; k++)
        for (size_t c = 0; c < columns; c++) {
            float both[2];
            turn(both, (double)c * ((double)k + 0.25), (double)bins);
            shape->across[2 * columns * k + c] = both[0];
            shape->across[2 * columns * k + columns + c] = both[1];
        }
    return 1;
}

prk_odd *prk_odd_create(size_t length) {
    size_t rest = length;
    while (rest && rest % 2 == 0) rest /= 2;
    if (length < 32 || length > 131072 || length % 32 || (rest != 1 && rest != 3 && rest != 5)) return NULL;
    prk_odd *plan = calloc(1, sizeof *plan);
    if (!plan) return NULL;
    plan->length = length;
    plan->bins = length / 2;
    const int eight = prk_odd_has_eight_columns(plan);
    if (!make_shape(&plan->columns_4, plan->bins, 4)
        || (eight && !make_shape(&plan->columns_8, plan->bins, 8))) {
        prk_odd_destroy(plan);
        return NULL;
    }
    return plan;
}

void prk_odd_destroy(prk_odd *plan) {
    if (!plan) return;
    prk_odd_shape *shapes[2] = {&plan->columns_4, &plan->columns_8};
    for (size_t i = 0; i < 2; i++) {
        free(shapes[i]->factors);
        free(shapes[i]->across);
    }
    free(plan);
}
