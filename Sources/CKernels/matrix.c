// Constants of the matrix decoder.
#include "CKernels.h"

#include <math.h>

void prk_matrix_prepare(prk_matrix_masks *job, size_t sources, const double *encoded) {
    job->sources = sources;
    for (size_t k = 0; k < sources; k++) {
        const double *const own = encoded + 2 * k, *const next = encoded + 2 * (k + 1 < sources ? k + 1 : 0);
        const double length = hypot(own[0], own[1]), other = hypot(next[0], next[1]);
        const double a = own[0] / length, b = own[1] / length, c = next[0] / other, d = next[1] / other;
        const double determinant = a * d - b * c;
        job->circle[k][0] = (float)(a * a - b * b);
        job->circle[k][1] = (float)(2 * a * b);
        job->vector[k][0] = (float)a;
        job->vector[k][1] = (float)b;
        job->inverse[k][0] = (float)(d / determinant);
        job->inverse[k][1] = (float)(-c / determinant);
        job->inverse[k][2] = (float)(-b / determinant);
        job->inverse[k][3] = (float)(a / determinant);
        job->gain[k] = (float)(1 / length);
    }
}
