// C functions around VQF, compiled with VQF's own sources by Scripts/bench-vqf and opened at run time.
#include "vqf.hpp"

extern "C" {
void *vqf_peer_new(double step) { return new VQF(step); }

// Processes one sample; with a magnetic field (mag not null) nine axes. Writes w x y z.
void vqf_peer_take(void *self, const double *gyr, const double *acc, const double *mag, double *quat) {
    VQF *vqf = static_cast<VQF *>(self);
    if (mag) {
        vqf->update(gyr, acc, mag);
        vqf->getQuat9D(quat);
    } else {
        vqf->update(gyr, acc);
        vqf->getQuat6D(quat);
    }
}

void vqf_peer_free(void *self) { delete static_cast<VQF *>(self); }
}
