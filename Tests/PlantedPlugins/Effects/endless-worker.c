// Ports: 0 in, 1 out. Passes its input on, and gives its worker one piece of work that never ends.
#include "planted.h"
#include <lv2/worker/worker.h>
#include <unistd.h>

static int begin(Planted *planted, const LV2_Feature *const *features) {
    planted->data = feature(features, LV2_WORKER__schedule);
    return planted->data != NULL;
}

static void run(LV2_Handle handle, uint32_t frames) {
    Planted *planted = handle;
    if (planted->passed == 0) {
        const LV2_Worker_Schedule *schedule = planted->data;
        schedule->schedule_work(schedule->handle, 0, NULL);
    }
    planted->passed += frames;
    memcpy(planted->ports[1], planted->ports[0], frames * sizeof(float));
}

static LV2_Worker_Status work(
    LV2_Handle handle, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle to, uint32_t size, const void *data) {
    (void)handle, (void)respond, (void)to, (void)size, (void)data;
    for (;;) sleep(1);
}

static LV2_Worker_Status answer(LV2_Handle handle, uint32_t size, const void *data) {
    (void)handle, (void)size, (void)data;
    return LV2_WORKER_SUCCESS;
}

static const void *extension(const char *uri) {
    static const LV2_Worker_Interface worker = {work, answer, NULL};
    return strcmp(uri, LV2_WORKER__interface) == 0 ? &worker : NULL;
}

PLANTED(begin, extension)
