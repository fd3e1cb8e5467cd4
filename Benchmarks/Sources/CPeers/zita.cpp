#include "CPeers.h"

#include <cstring>
#include <new>
#include <zita-convolver.h>

int peer_zita_version(void) { return zita_convolver_major_version() * 100 + zita_convolver_minor_version(); }

struct peer_zita {
    Convproc engine;
    size_t sources, block, taps;
    bool running = false;
};

peer_zita *peer_zita_create(size_t sources, size_t block, size_t largest, size_t taps) {
    auto *zita = new (std::nothrow) peer_zita{};
    if (!zita) return nullptr;
    zita->sources = sources, zita->block = block, zita->taps = taps;
    zita->engine.set_options(Convproc::OPT_FFTW_MEASURE | Convproc::OPT_VECTOR_MODE);
    auto count = static_cast<uint32_t>(sources), size = static_cast<uint32_t>(block);
    auto most = static_cast<uint32_t>(largest);
    if (zita->engine.configure(count, 2, static_cast<uint32_t>(taps), size, size, most, 0.0f) != 0) {
        delete zita;
        return nullptr;
    }
    return zita;
}

void peer_zita_destroy(peer_zita *zita) {
    if (!zita) return;
    if (zita->running) {
        zita->engine.stop_process();
        while (!zita->engine.check_stop()) {}
    }
    zita->engine.cleanup();
    delete zita;
}

void peer_zita_set(peer_zita *zita, size_t source, const float *left, const float *right) {
    auto input = static_cast<uint32_t>(source);
    auto taps = static_cast<int32_t>(zita->taps);
    zita->engine.impdata_create(input, 0, 1, const_cast<float *>(left), 0, taps);
    zita->engine.impdata_create(input, 1, 1, const_cast<float *>(right), 0, taps);
}

int peer_zita_process(peer_zita *zita, const float *const *inputs, float *left, float *right) {
    size_t bytes = zita->block * sizeof(float);
    if (!zita->running) {
        int refused = zita->engine.start_process(0, 0);
        if (refused != 0) return refused;
        zita->running = true;
    }
    for (size_t s = 0; s < zita->sources; s++) {
        std::memcpy(zita->engine.inpdata(static_cast<uint32_t>(s)), inputs[s], bytes);
    }
    int flags = zita->engine.process(true);
    std::memcpy(left, zita->engine.outdata(0), bytes);
    std::memcpy(right, zita->engine.outdata(1), bytes);
    return flags;
}
