#include "CPeers.h"

void peer_direct(size_t count, size_t taps, const double *x, const float *h, double *y) {
    for (size_t k = 0; k < taps; k++) {
        double gain = h[k];
        const double *past = x - k;
        for (size_t i = 0; i < count; i++) y[i] += gain * past[i];
    }
}
