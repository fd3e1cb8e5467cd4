// Chooses the kernels once, before main, so that reading the pointer later needs no lock.
#include "CKernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const prk_table prk_table_baseline, prk_table_avx2, prk_table_avx512;

static const prk_table *chosen = &prk_table_baseline;

/// Lists the tables that the processor supports, the widest first. NULL ends the list.
static void list_supported(const prk_table *list[4]) {
    size_t count = 0;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma"))
        list[count++] = &prk_table_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) list[count++] = &prk_table_avx2;
#endif
    list[count++] = &prk_table_baseline;
    list[count] = NULL;
}

const prk_table *prk_table_named(const char *name) {
    const prk_table *list[4];
    list_supported(list);
    for (size_t i = 0; list[i]; i++)
        if (!strcmp(name, list[i]->name)) return list[i];
    return NULL;
}

const char *prk_instruction_set(void) { return chosen->name; }

__attribute__((constructor)) static void choose(void) {
    const prk_table *list[4];
    list_supported(list);
    chosen = list[0];
    const char *wanted = getenv("PROSCENIUM_ISA");
    if (!wanted || !*wanted) return;
    chosen = prk_table_named(wanted);
    if (chosen) return;
    fprintf(stderr, "PROSCENIUM_ISA=%s: this processor has", wanted);
    for (size_t i = 0; list[i]; i++) fprintf(stderr, " %s", list[i]->name);
    fprintf(stderr, "\n");
    exit(3);
}

void prk_fir(size_t n, size_t taps, const float *x, const float *h, float *y) { chosen->fir(n, taps, x, h, y); }

void prk_blend(size_t n, size_t count, const float *const *rows, const float *weights, float *y) {
    chosen->blend(n, count, rows, weights, y);
}

void prk_multiply_add(size_t n, float gain, const float *x, float *y) { chosen->multiply_add(n, gain, x, y); }
void prk_scale(size_t n, float gain, const float *x, float *y) { chosen->scale(n, gain, x, y); }
void prk_multiply(size_t n, const float *x, const float *w, float *y) { chosen->multiply(n, x, w, y); }
void prk_ramp(size_t n, float from, float to, const float *x, float *y) { chosen->ramp(n, from, to, x, y); }
float prk_peak(size_t n, const float *x) { return chosen->peak(n, x); }
double prk_energy(size_t n, const float *x) { return chosen->energy(n, x); }
size_t prk_cleanse(size_t n, const float *x, float *y) { return chosen->cleanse(n, x, y); }
size_t prk_take(size_t n, const float *x, float *y, float *peak) { return chosen->take(n, x, y, peak); }

void prk_envelope(size_t n, size_t count, const float *const *rows, float *y) { chosen->envelope(n, count, rows, y); }

void prk_turn(
    size_t n, size_t count, const float *const *x, const float *from, const float *change, size_t first, float step,
    float *const *y) {
    chosen->turn(n, count, x, from, change, first, step, y);
}

void prk_odd_forward(
    const prk_odd *plan, size_t count, const float *const *rows, float *const *spectra, size_t stride, float *work) {
    chosen->odd_forward(plan, count, rows, spectra, stride, work);
}

void prk_odd_inverse(
    const prk_odd *plan, size_t count, const float *const *spectra, size_t stride, size_t from, size_t frames,
    float *const *rows, float *work) {
    chosen->odd_inverse(plan, count, spectra, stride, from, frames, rows, work);
}

void prk_sum_products(const prk_products *job) { chosen->sum_products(job); }

void prk_room_sum_spectra(const prk_room_sum *job) { chosen->rooms.sum(job); }

void prk_room_sum_pair(const prk_room_pair *job) { chosen->rooms.pair(job); }

void prk_room_split(size_t radix, size_t n, const float *x, size_t at, float *const *rows) {
    chosen->rooms.split(radix, n, x, at, rows);
}

void prk_room_join(
    const prk_room_turns *turns, size_t from, size_t to, const float *const *rows, float *spectrum, size_t stride) {
    chosen->rooms.join(turns, from, to, rows, spectrum, stride);
}

void prk_room_part(
    const prk_room_turns *turns, size_t from, size_t to, const float *spectrum, float *const *rows) {
    chosen->rooms.part(turns, from, to, spectrum, rows);
}

void prk_room_weave(
    size_t radix, size_t at, size_t n, const float *const *rows, float from, float step, float *y) {
    chosen->rooms.weave(radix, at, n, rows, from, step, y);
}

void prk_steer(const prk_steering *job) { chosen->steer(job); }
void prk_gather_low(const prk_low_bins *job, const float *spectra, float *low) { chosen->gather_low(job, spectra, low); }
void prk_add_low(const prk_low_bins *job, const float *low, float *spectra) { chosen->add_low(job, low, spectra); }

void prk_weigh(const prk_weighting *job) { chosen->weigh(job); }

void prk_cross_fade(size_t n, float from, float step, const float *a, const float *b, float *y) {
    chosen->cross_fade(n, from, step, a, b, y);
}

void prk_upmix_powers(size_t bins, const float *left, const float *right, float *const *rows) {
    chosen->upmix.powers(bins, left, right, rows);
}

void prk_upmix_box(size_t bins, const uint8_t *halves, const float *shares, const float *x, float *y) {
    chosen->upmix.box(bins, halves, shares, x, y);
}

void prk_upmix_make_masks(prk_upmix_masks *job) { chosen->upmix.masks(job); }

void prk_upmix_order(size_t bins, const float *row, size_t chunk, float *y) { chosen->upmix.order(bins, row, chunk, y); }

void prk_upmix_real(
    size_t bins, const float *masks, const float *left, const float *right, float *const *results) {
    chosen->upmix.real(bins, masks, left, right, results);
}

void prk_upmix_complex(
    size_t bins, const float *masks, const float *left, const float *right, float *const *results) {
    chosen->upmix.complex(bins, masks, left, right, results);
}

void prk_upmix_sum(const prk_upmix_mix *job) { chosen->upmix.mix(job); }

void prk_upmix_take_low(
    prk_upmix_split *job, size_t frames, float *left, float *right, float *low_left, float *low_right) {
    chosen->upmix.split(job, frames, left, right, low_left, low_right);
}

void prk_matrix_make_masks(prk_matrix_masks *job) { chosen->matrix.masks(job); }

void prk_matrix_real(
    size_t bins, size_t count, const float *masks, const float *left, const float *right, float *const *results) {
    chosen->matrix.real(bins, count, masks, left, right, results);
}

void prk_matrix_complex(
    size_t bins, size_t count, const float *masks, const float *left, const float *right, float *const *results) {
    chosen->matrix.complex(bins, count, masks, left, right, results);
}

void prk_matrix_sum(const prk_matrix_mix *job) { chosen->matrix.mix(job); }
