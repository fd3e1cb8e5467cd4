// Plans of FFTW: patient, one per size, kept between runs.
#include "transforms.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "CPeers.h"

float *peer_zeros(size_t count) {
    float *memory = aligned_alloc(64, (count * sizeof(float) + 63) / 64 * 64);
    if (memory) memset(memory, 0, count * sizeof(float));
    return memory;
}

const char *peer_fftw_version(void) { return fftwf_version; }

struct peer_transform {
    fftwf_plan forward, inverse;
};

peer_transform *peer_transform_create(size_t size) {
    peer_transform *transform = calloc(1, sizeof *transform);
    float *samples = peer_zeros(size), *pairs = peer_zeros(size + 2);
    if (transform && samples && pairs) {
        fftwf_complex *spectrum = (fftwf_complex *)pairs;
        // FFTW's transforms with split real and imaginary parts take twice as long as this one with a split afterwards.
        transform->forward = fftwf_plan_dft_r2c_1d((int)size, samples, spectrum, FFTW_PATIENT | FFTW_PRESERVE_INPUT);
        transform->inverse = fftwf_plan_dft_c2r_1d((int)size, spectrum, samples, FFTW_PATIENT);
    }
    free(samples), free(pairs);
    return transform;
}

void peer_transform_destroy(peer_transform *transform) {
    if (!transform) return;
    if (transform->forward) fftwf_destroy_plan(transform->forward);
    if (transform->inverse) fftwf_destroy_plan(transform->inverse);
    free(transform);
}

void peer_transform_forward(peer_transform *transform, const float *samples, float *pairs) {
    fftwf_execute_dft_r2c(transform->forward, (float *)samples, (fftwf_complex *)pairs);
}

void peer_transform_inverse(peer_transform *transform, float *pairs, float *samples) {
    fftwf_execute_dft_c2r(transform->inverse, (fftwf_complex *)pairs, samples);
}

int peer_wisdom_read(const char *path) { return fftwf_import_wisdom_from_filename(path); }
int peer_wisdom_write(const char *path) { return fftwf_export_wisdom_to_filename(path); }

/// Returns the nanoseconds of a forward and an inverse transform of one size: the fastest of several dozen runs.
static double cost(size_t size) {
    peer_transform *transform = peer_transform_create(size);
    float *samples = peer_zeros(size), *pairs = peer_zeros(size + 2);
    double best = 1e30;
    for (int turn = 0; turn < 40; turn++) {
        struct timespec before, after;
        clock_gettime(CLOCK_MONOTONIC, &before);
        for (int i = 0; i < 16; i++) {
            peer_transform_forward(transform, samples, pairs);
            peer_transform_inverse(transform, pairs, samples);
        }
        clock_gettime(CLOCK_MONOTONIC, &after);
        double took = (double)(after.tv_sec - before.tv_sec) * 1e9 + (double)(after.tv_nsec - before.tv_nsec);
        if (took < best) best = took;
    }
    free(samples), free(pairs);
    peer_transform_destroy(transform);
    return best;
}

static int is_smooth(size_t size) {
    for (size_t factor = 2; factor <= 5; factor++)
        while (size % factor == 0) size /= factor;
    return size == 1;
}

size_t peer_best_size(size_t least) {
    enum { KNOWN = 64 };
    static size_t asked[KNOWN], found[KNOWN], count;
    for (size_t i = 0; i < count; i++)
        if (asked[i] == least) return found[i];
    size_t best = 0;
    double lowest = 1e30;
    // Only multiples of 16: other sizes leave odd factors, which do not fill a vector.
    for (size_t size = (least + 15) / 16 * 16; 4 * size <= 5 * least || !best; size += 16) {
        if (!is_smooth(size)) continue;
        double took = cost(size);
        if (took < lowest) lowest = took, best = size;
    }
    if (count < KNOWN) asked[count] = least, found[count++] = best;
    return best;
}
