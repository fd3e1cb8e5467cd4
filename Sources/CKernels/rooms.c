// Factors by which short transforms are joined to a long one.
#include "CKernels.h"

#include <math.h>

void prk_room_fill_turns(size_t radix, size_t chunks, float *lanes, float *bases) {
    const double n = 32.0 * (double)chunks * (double)radix, turn = 2 * 3.14159265358979323846;
    for (size_t s = 0; s < radix; s++)
        for (size_t j = 0; j < 16; j++) {
            const double angle = -turn * (double)(s * 2 * j) / n;
            lanes[32 * s + j] = (float)cos(angle);
            lanes[32 * s + 16 + j] = (float)sin(angle);
        }
    for (size_t chunk = 0; chunk < chunks; chunk++)
        for (size_t s = 0; s < radix; s++) {
            const double angle = -turn * (double)s * (2 * 16 * (double)chunk + 0.5) / n;
            bases[2 * (chunk * radix + s)] = (float)cos(angle);
            bases[2 * (chunk * radix + s) + 1] = (float)sin(angle);
        }
}
