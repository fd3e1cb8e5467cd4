#include "CPeers.h"

#include <fftw3.h>
#include <stdlib.h>
#include <string.h>

/// Sixteen floats: the register of AVX-512, two of AVX2; the compiler splits it where it must.
typedef float lanes __attribute__((vector_size(64)));
enum { LANES = 16 };

struct peer_fftw {
    size_t sources, block, taps, rows, parts, bins, newest;
    fftwf_plan forward, inverse;
    float *recent;   // [source][2 block]: the last two blocks of input
    float *spectra;  // [source][part][re, im][bins]: a ring over parts
    float *filters;  // [row][part][left re, left im, right re, right im][bins]
    float *sums;     // [old, new][left, right][re, im][bins]
    float *time;     // [2 block]
    float *pairs;    // [bins][re, im]: a spectrum as FFTW has it
    float *ears;     // [old, new][left, right][block]
    float *ramp;     // [block]: 0, 1/block ...
};

static float *zeros(size_t count) {
    float *memory = aligned_alloc(64, (count * sizeof(float) + 63) / 64 * 64);
    if (memory) memset(memory, 0, count * sizeof(float));
    return memory;
}

peer_fftw *peer_fftw_create(size_t sources, size_t block, size_t taps, size_t rows) {
    peer_fftw *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    e->sources = sources, e->block = block, e->taps = taps, e->rows = rows;
    e->parts = (taps + block - 1) / block;
    e->bins = (block + 1 + LANES - 1) / LANES * LANES;
    e->recent = zeros(sources * 2 * block);
    e->spectra = zeros(sources * e->parts * 2 * e->bins);
    e->filters = zeros(rows * e->parts * 4 * e->bins);
    e->sums = zeros(8 * e->bins);
    e->time = zeros(2 * block);
    e->pairs = zeros(2 * e->bins);
    e->ears = zeros(4 * block);
    e->ramp = zeros(block);
    if (!e->recent || !e->spectra || !e->filters || !e->sums || !e->time || !e->pairs || !e->ears || !e->ramp) {
        peer_fftw_destroy(e);
        return NULL;
    }
    for (size_t i = 0; i < block; i++) e->ramp[i] = (float)i / (float)block;
    // FFTW's transforms with split real and imaginary parts take twice as long; splitting afterwards is cheaper.
    int size = (int)(2 * block);
    e->forward = fftwf_plan_dft_r2c_1d(size, e->time, (fftwf_complex *)e->pairs, FFTW_PATIENT | FFTW_PRESERVE_INPUT);
    e->inverse = fftwf_plan_dft_c2r_1d(size, (fftwf_complex *)e->pairs, e->time, FFTW_PATIENT);
    memset(e->time, 0, 2 * block * sizeof(float));
    return e;
}

void peer_fftw_destroy(peer_fftw *e) {
    if (!e) return;
    if (e->forward) fftwf_destroy_plan(e->forward);
    if (e->inverse) fftwf_destroy_plan(e->inverse);
    free(e->recent), free(e->spectra), free(e->filters), free(e->sums), free(e->time), free(e->pairs), free(e->ears), free(e->ramp);
    free(e);
}

/// Transforms 2 block samples into split parts of a spectrum.
static void forward(peer_fftw *e, float *time, float *restrict re, float *restrict im) {
    const float *restrict pairs = e->pairs;
    fftwf_execute_dft_r2c(e->forward, time, (fftwf_complex *)e->pairs);
    for (size_t k = 0; k < e->bins; k++) re[k] = pairs[2 * k], im[k] = pairs[2 * k + 1];
}

void peer_fftw_set(peer_fftw *e, size_t row, const float *left, const float *right) {
    const float *ear[2] = {left, right};
    // The scale of both transforms goes into the filters.
    float scale = 1.0f / (float)(2 * e->block);
    for (size_t part = 0; part < e->parts; part++) {
        size_t first = part * e->block, count = e->taps - first < e->block ? e->taps - first : e->block;
        for (int side = 0; side < 2; side++) {
            for (size_t i = 0; i < count; i++) e->time[i] = ear[side][first + i] * scale;
            memset(e->time + count, 0, (2 * e->block - count) * sizeof(float));
            float *re = e->filters + ((row * e->parts + part) * 4 + (size_t)side * 2) * e->bins;
            forward(e, e->time, re, re + e->bins);
        }
    }
}

/// Takes in one block of every source.
static void take(peer_fftw *e, const float *const *inputs) {
    size_t block = e->block;
    e->newest = e->newest ? e->newest - 1 : e->parts - 1;
    for (size_t s = 0; s < e->sources; s++) {
        float *recent = e->recent + s * 2 * block;
        memcpy(recent, recent + block, block * sizeof(float));
        memcpy(recent + block, inputs[s], block * sizeof(float));
        float *re = e->spectra + (s * e->parts + e->newest) * 2 * e->bins;
        forward(e, recent, re, re + e->bins);
    }
}

/// Sums all products for one set of rows: 16 bins at a time stay in registers over all sources and partitions.
static void sum(peer_fftw *e, const size_t *rows, float *sums) {
    size_t bins = e->bins, parts = e->parts;
    for (size_t k = 0; k < bins; k += LANES) {
        lanes lr = {0}, li = {0}, rr = {0}, ri = {0};
        for (size_t s = 0; s < e->sources; s++) {
            const float *h = e->filters + rows[s] * parts * 4 * bins + k;
            for (size_t p = 0, slot = e->newest; p < parts; p++, h += 4 * bins) {
                const float *x = e->spectra + (s * parts + slot) * 2 * bins + k;
                lanes xr = *(const lanes *)x, xi = *(const lanes *)(x + bins);
                lanes ar = *(const lanes *)h, ai = *(const lanes *)(h + bins);
                lanes br = *(const lanes *)(h + 2 * bins), bi = *(const lanes *)(h + 3 * bins);
                lr += xr * ar - xi * ai, li += xr * ai + xi * ar;
                rr += xr * br - xi * bi, ri += xr * bi + xi * br;
                slot = slot + 1 == parts ? 0 : slot + 1;
            }
        }
        *(lanes *)(sums + k) = lr, *(lanes *)(sums + bins + k) = li;
        *(lanes *)(sums + 2 * bins + k) = rr, *(lanes *)(sums + 3 * bins + k) = ri;
    }
}

/// Sums for the old and the new rows together: the inputs' spectra are read once.
static void sum_both(peer_fftw *e, const size_t *old_rows, const size_t *new_rows, float *sums) {
    size_t bins = e->bins, parts = e->parts;
    for (size_t k = 0; k < bins; k += LANES) {
        lanes acc[8] = {{0}};
        for (size_t s = 0; s < e->sources; s++) {
            const float *g = e->filters + old_rows[s] * parts * 4 * bins + k;
            const float *h = e->filters + new_rows[s] * parts * 4 * bins + k;
            for (size_t p = 0, slot = e->newest; p < parts; p++, g += 4 * bins, h += 4 * bins) {
                const float *x = e->spectra + (s * parts + slot) * 2 * bins + k;
                lanes xr = *(const lanes *)x, xi = *(const lanes *)(x + bins);
                lanes ar = *(const lanes *)g, ai = *(const lanes *)(g + bins);
                acc[0] += xr * ar - xi * ai, acc[1] += xr * ai + xi * ar;
                ar = *(const lanes *)(g + 2 * bins), ai = *(const lanes *)(g + 3 * bins);
                acc[2] += xr * ar - xi * ai, acc[3] += xr * ai + xi * ar;
                ar = *(const lanes *)h, ai = *(const lanes *)(h + bins);
                acc[4] += xr * ar - xi * ai, acc[5] += xr * ai + xi * ar;
                ar = *(const lanes *)(h + 2 * bins), ai = *(const lanes *)(h + 3 * bins);
                acc[6] += xr * ar - xi * ai, acc[7] += xr * ai + xi * ar;
                slot = slot + 1 == parts ? 0 : slot + 1;
            }
        }
        for (int i = 0; i < 8; i++) *(lanes *)(sums + (size_t)i * bins + k) = acc[i];
    }
}

/// The second half of an inverse transform is the block.
static void back(peer_fftw *e, const float *restrict re, float *out) {
    float *restrict pairs = e->pairs;
    const float *restrict im = re + e->bins;
    for (size_t k = 0; k < e->bins; k++) pairs[2 * k] = re[k], pairs[2 * k + 1] = im[k];
    fftwf_execute_dft_c2r(e->inverse, (fftwf_complex *)e->pairs, e->time);
    memcpy(out, e->time + e->block, e->block * sizeof(float));
}

void peer_fftw_static(peer_fftw *e, const float *const *inputs, const size_t *rows, float *left, float *right) {
    take(e, inputs);
    sum(e, rows, e->sums);
    back(e, e->sums, left);
    back(e, e->sums + 2 * e->bins, right);
}

void peer_fftw_moving(peer_fftw *e, const float *const *inputs, const size_t *old_rows, const size_t *new_rows,
                      float *left, float *right) {
    size_t block = e->block;
    take(e, inputs);
    sum_both(e, old_rows, new_rows, e->sums);
    for (size_t i = 0; i < 4; i++) back(e, e->sums + i * 2 * e->bins, e->ears + i * block);
    const float *old_left = e->ears, *old_right = e->ears + block;
    const float *new_left = e->ears + 2 * block, *new_right = e->ears + 3 * block;
    for (size_t i = 0; i < block; i++) {
        left[i] = old_left[i] + e->ramp[i] * (new_left[i] - old_left[i]);
        right[i] = old_right[i] + e->ramp[i] * (new_right[i] - old_right[i]);
    }
}
