#include <mysofa.h>
#include <stdlib.h>

#include "CPeers.h"

void peer_mysofa_version(int *major, int *minor, int *patch) { mysofa_getversion(major, minor, patch); }

struct peer_mysofa {
    struct MYSOFA_EASY *easy;
};

peer_mysofa *peer_mysofa_open(const char *path, float rate, int *taps, int *error) {
    peer_mysofa *peer = calloc(1, sizeof *peer);
    if (!peer) return NULL;
    peer->easy = mysofa_open(path, rate, taps, error);
    if (!peer->easy) {
        free(peer);
        return NULL;
    }
    return peer;
}

void peer_mysofa_close(peer_mysofa *peer) {
    if (!peer) return;
    mysofa_close(peer->easy);
    free(peer);
}

int peer_mysofa_load(const char *path, int *error) {
    struct MYSOFA_HRTF *hrtf = mysofa_load(path, error);
    if (!hrtf) return 0;
    mysofa_free(hrtf);
    return 1;
}

void peer_mysofa_filter(peer_mysofa *peer, float x, float y, float z, float *left, float *right) {
    float delays[2];
    mysofa_getfilter_float(peer->easy, x, y, z, left, right, &delays[0], &delays[1]);
}
