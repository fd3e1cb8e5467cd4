#include <stdlib.h>
#include <string.h>

#include "CPeers.h"
#include "transforms.h"

/// Sixteen floats: one register of AVX-512, two of AVX2; the compiler splits them for narrower sets.
typedef float lanes __attribute__((vector_size(64)));
enum { LANES = 16, BLOCKS_KEPT = 16 };

// Layout of a spectrum: chunks of 16 bins, [chunk][re, im][16]; of a pair of filters: [chunk][left re, left im, right
// re, right im][16]. The values that one step of a sum reads lie in adjoining cache lines.
struct peer_fftw {
    size_t sources, block, taps, rows, states;
    size_t size, parts, part_taps, chunks, newest, room, end;
    peer_transform *transform;
    float *recent;   // [source][room]: inputs; the newest `size` end at `end`
    float *spectra;  // [source][part][chunk][2][16]: a ring over parts
    float *filters;  // [row][part][chunk][4][16]
    float *sums;     // [state][ear][chunk][2][16]
    float *time;     // [size]
    float *pairs;    // [bin][re, im]: a spectrum in FFTW's layout
    float *ears;     // [state][ear][block]
    float *ramp;     // [fade]: 0, 1/fade ...
    size_t elapsed;  // frames of a long fade that precede this block
};

peer_fftw *peer_fftw_create(peer_form form, size_t sources, size_t block, size_t taps, size_t rows, size_t states) {
    peer_fftw *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    e->sources = sources, e->block = block, e->taps = taps, e->rows = rows, e->states = states;
    if (form == PEER_PARTITIONED) {
        e->size = 2 * block, e->parts = (taps + block - 1) / block, e->part_taps = block;
    } else {
        e->size = peer_best_size(block + taps - 1), e->parts = 1, e->part_taps = taps;
    }
    e->chunks = (e->size / 2 + 1 + LANES - 1) / LANES;
    e->room = e->size + BLOCKS_KEPT * block;
    e->end = e->size;
    e->transform = peer_transform_create(e->size);
    e->recent = peer_zeros(sources * e->room);
    e->spectra = peer_zeros(sources * e->parts * e->chunks * 2 * LANES);
    e->filters = peer_zeros(rows * e->parts * e->chunks * 4 * LANES);
    e->sums = peer_zeros(states * 2 * e->chunks * 2 * LANES);
    e->time = peer_zeros(e->size);
    e->pairs = peer_zeros(e->chunks * 2 * LANES);
    e->ears = peer_zeros(states * 2 * block);
    e->ramp = peer_zeros(block);
    if (!e->transform || !e->recent || !e->spectra || !e->filters || !e->sums || !e->time || !e->pairs || !e->ears
        || !e->ramp) {
        peer_fftw_destroy(e);
        return NULL;
    }
    size_t fade = states > 1 ? block / (states - 1) : block;
    for (size_t i = 0; i < fade; i++) e->ramp[i] = (float)i / (float)fade;
    return e;
}

void peer_fftw_destroy(peer_fftw *e) {
    if (!e) return;
    peer_transform_destroy(e->transform);
    free(e->recent), free(e->spectra), free(e->filters), free(e->sums), free(e->time), free(e->pairs), free(e->ears);
    free(e->ramp), free(e);
}

size_t peer_fftw_size(const peer_fftw *e) { return e->size; }
size_t peer_fftw_table_bytes(const peer_fftw *e) { return e->rows * e->parts * e->chunks * 4 * LANES * sizeof(float); }

/// Transforms samples into chunks that are `stride` floats apart.
static void forward(peer_fftw *e, const float *time, float *restrict chunk, size_t stride) {
    const float *restrict pairs = e->pairs;
    peer_transform_forward(e->transform, time, e->pairs);
    for (size_t c = 0; c < e->chunks; c++, chunk += stride, pairs += 2 * LANES)
        for (size_t k = 0; k < LANES; k++) chunk[k] = pairs[2 * k], chunk[LANES + k] = pairs[2 * k + 1];
}

void peer_fftw_set(peer_fftw *e, size_t row, const float *left, const float *right) {
    const float *ear[2] = {left, right};
    // The filters include the scale of both transforms.
    float scale = 1.0f / (float)e->size;
    for (size_t part = 0; part < e->parts; part++) {
        size_t first = part * e->part_taps;
        size_t count = e->taps - first < e->part_taps ? e->taps - first : e->part_taps;
        for (size_t side = 0; side < 2; side++) {
            for (size_t i = 0; i < count; i++) e->time[i] = ear[side][first + i] * scale;
            memset(e->time + count, 0, (e->size - count) * sizeof(float));
            float *target = e->filters + (row * e->parts + part) * e->chunks * 4 * LANES + side * 2 * LANES;
            forward(e, e->time, target, 4 * LANES);
        }
    }
}

/// Copies in one block of each source and transforms it.
static void take(peer_fftw *e, const float *const *inputs) {
    size_t block = e->block, kept = e->size - block;
    e->newest = e->newest ? e->newest - 1 : e->parts - 1;
    // The window slides; when it reaches the end of the buffer, its samples move back to the beginning.
    int is_full = e->end + block > e->room;
    for (size_t s = 0; s < e->sources; s++) {
        float *recent = e->recent + s * e->room;
        if (is_full) memmove(recent, recent + e->end - kept, kept * sizeof(float));
    }
    e->end = (is_full ? kept : e->end) + block;
    for (size_t s = 0; s < e->sources; s++) {
        float *window = e->recent + s * e->room + e->end - e->size;
        memcpy(window + kept, inputs[s], block * sizeof(float));
        forward(e, window, e->spectra + (s * e->parts + e->newest) * e->chunks * 2 * LANES, 2 * LANES);
    }
}

/// Sums the products for `states` sets of rows: 16 bins at a time stay in registers over all sources and partitions.
static inline __attribute__((always_inline)) void sum(peer_fftw *e, const size_t *rows, const size_t states) {
    size_t chunks = e->chunks, parts = e->parts, sources = e->sources;
    for (size_t c = 0; c < chunks; c++) {
        lanes acc[12] = {{0}};
        for (size_t s = 0; s < sources; s++) {
            for (size_t p = 0, slot = e->newest; p < parts; p++) {
                const lanes *x = (const lanes *)(e->spectra + ((s * parts + slot) * chunks + c) * 2 * LANES);
                lanes xr = x[0], xi = x[1];
                for (size_t state = 0; state < states; state++) {
                    const lanes *h = (const lanes *)(e->filters
                        + ((rows[state * sources + s] * parts + p) * chunks + c) * 4 * LANES);
                    lanes *a = acc + 4 * state;
                    a[0] += xr * h[0] - xi * h[1], a[1] += xr * h[1] + xi * h[0];
                    a[2] += xr * h[2] - xi * h[3], a[3] += xr * h[3] + xi * h[2];
                }
                slot = slot + 1 == parts ? 0 : slot + 1;
            }
        }
        for (size_t ear = 0; ear < 2 * states; ear++) {
            lanes *y = (lanes *)(e->sums + (ear * chunks + c) * 2 * LANES);
            y[0] = acc[2 * ear], y[1] = acc[2 * ear + 1];
        }
    }
}

/// Transforms a row's sums back and returns the block at the end of the result.
static const float *back(peer_fftw *e, size_t row, float *keep) {
    const float *restrict chunk = e->sums + row * e->chunks * 2 * LANES;
    float *restrict pairs = e->pairs;
    for (size_t c = 0; c < e->chunks; c++, chunk += 2 * LANES, pairs += 2 * LANES)
        for (size_t k = 0; k < LANES; k++) pairs[2 * k] = chunk[k], pairs[2 * k + 1] = chunk[LANES + k];
    peer_transform_inverse(e->transform, e->pairs, e->time);
    memcpy(keep, e->time + e->size - e->block, e->block * sizeof(float));
    return keep;
}

int peer_fftw_fade_over(peer_fftw *e, size_t frames) {
    float *ramp = peer_zeros(frames);
    if (!ramp) return 0;
    for (size_t i = 0; i < frames; i++) ramp[i] = (float)i / (float)frames;
    free(e->ramp);
    e->ramp = ramp;
    return 1;
}

void peer_fftw_elapsed(peer_fftw *e, size_t frames) { e->elapsed = frames; }

void peer_fftw_process(peer_fftw *e, const float *const *inputs, const size_t *rows, float *left, float *right) {
    size_t block = e->block, states = e->states;
    take(e, inputs);
    if (states == 1) {
        sum(e, rows, 1);
        back(e, 0, left), back(e, 1, right);
        return;
    }
    if (states == 2) sum(e, rows, 2);
    else sum(e, rows, 3);
    for (size_t ear = 0; ear < 2 * states; ear++) back(e, ear, e->ears + ear * block);
    size_t fade = block / (states - 1);
    const float *ramp = e->ramp + e->elapsed;
    for (size_t part = 0; part + 1 < states; part++) {
        size_t start = part * fade;
        const float *old_left = e->ears + 2 * part * block + start, *old_right = old_left + block;
        const float *new_left = old_left + 2 * block, *new_right = old_right + 2 * block;
        for (size_t i = 0; i < fade; i++) {
            left[start + i] = old_left[i] + ramp[i] * (new_left[i] - old_left[i]);
            right[start + i] = old_right[i] + ramp[i] * (new_right[i] - old_right[i]);
        }
    }
}
