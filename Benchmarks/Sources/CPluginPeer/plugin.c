// Runs a plugin with the minimum that an LV2 host must provide.
#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/urid/urid.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "CPluginPeer.h"

enum { EVENT_BYTES = 8192, MOST_URIS = 512 };

// URIs indexed by their numbers, from 1; shared by all instances; used from one thread.
static char *uris[MOST_URIS];
static uint32_t uri_count;

static LV2_URID map(void *unused, const char *uri) {
    (void)unused;
    for (uint32_t i = 0; i < uri_count; i++)
        if (strcmp(uris[i], uri) == 0) return i + 1;
    if (uri_count == MOST_URIS || !(uris[uri_count] = strdup(uri))) return 0;
    return ++uri_count;
}

static const char *unmap(void *unused, LV2_URID number) {
    (void)unused;
    return number > 0 && number <= uri_count ? uris[number - 1] : NULL;
}

// Types of the contents of event ports.
static LV2_URID sequence, chunk;

typedef struct port {
    enum { CONTROL, SOUND_IN, SOUND_OUT, EVENTS_IN, EVENTS_OUT } kind;
    float value;
    LV2_Atom_Sequence *events;
} port;

struct peer_lv2 {
    LilvWorld *world;
    LilvInstance *instance;
    uint32_t count;
    port *ports;
    int32_t least, most;
    float rate;
};

static int is_a(LilvWorld *world, const LilvPlugin *plugin, const LilvPort *of, const char *class) {
    LilvNode *node = lilv_new_uri(world, class);
    int answer = lilv_port_is_a(plugin, of, node);
    lilv_node_free(node);
    return answer;
}

static int make_ports(peer_lv2 *peer, const LilvPlugin *plugin) {
    peer->count = lilv_plugin_get_num_ports(plugin);
    float *defaults = calloc(peer->count + 1, sizeof *defaults);
    peer->ports = calloc(peer->count + 1, sizeof *peer->ports);
    if (!defaults || !peer->ports) return free(defaults), 0;
    lilv_plugin_get_port_ranges_float(plugin, NULL, NULL, defaults);
    for (uint32_t i = 0; i < peer->count; i++) {
        const LilvPort *of = lilv_plugin_get_port_by_index(plugin, i);
        port *made = &peer->ports[i];
        int is_input = is_a(peer->world, plugin, of, LV2_CORE__InputPort);
        if (is_a(peer->world, plugin, of, LV2_CORE__AudioPort)) {
            made->kind = is_input ? SOUND_IN : SOUND_OUT;
        } else if (is_a(peer->world, plugin, of, LV2_ATOM__AtomPort)) {
            made->kind = is_input ? EVENTS_IN : EVENTS_OUT;
            made->events = calloc(1, EVENT_BYTES);
            if (!made->events) return free(defaults), 0;
            lilv_instance_connect_port(peer->instance, i, made->events);
        } else {
            made->value = isfinite(defaults[i]) ? defaults[i] : 0;
            lilv_instance_connect_port(peer->instance, i, &made->value);
        }
    }
    free(defaults);
    return 1;
}

peer_lv2 *peer_lv2_create(const char *bundle, const char *uri, double rate, uint32_t block) {
    peer_lv2 *peer = calloc(1, sizeof *peer);
    if (!peer || !(peer->world = lilv_world_new())) return free(peer), NULL;
    peer->least = 1;
    peer->most = (int32_t)block;
    peer->rate = (float)rate;
    sequence = map(NULL, LV2_ATOM__Sequence);
    chunk = map(NULL, LV2_ATOM__Chunk);
    LilvNode *folder = lilv_new_file_uri(peer->world, NULL, bundle), *name = lilv_new_uri(peer->world, uri);
    lilv_world_load_bundle(peer->world, folder);
    const LilvPlugin *plugin = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(peer->world), name);
    lilv_node_free(folder);
    lilv_node_free(name);
    LV2_URID of_int = map(NULL, LV2_ATOM__Int), of_float = map(NULL, LV2_ATOM__Float);
    LV2_Options_Option options[] = {
        {LV2_OPTIONS_INSTANCE, 0, map(NULL, LV2_BUF_SIZE__minBlockLength), 4, of_int, &peer->least},
        {LV2_OPTIONS_INSTANCE, 0, map(NULL, LV2_BUF_SIZE__maxBlockLength), 4, of_int, &peer->most},
        {LV2_OPTIONS_INSTANCE, 0, map(NULL, LV2_PARAMETERS__sampleRate), 4, of_float, &peer->rate},
        {LV2_OPTIONS_INSTANCE, 0, 0, 0, 0, NULL}};
    static LV2_URID_Map to_number = {NULL, map};
    static LV2_URID_Unmap to_text = {NULL, unmap};
    LV2_Feature features[] = {
        {LV2_URID__map, &to_number}, {LV2_URID__unmap, &to_text}, {LV2_OPTIONS__options, options},
        {LV2_BUF_SIZE__boundedBlockLength, NULL}};
    const LV2_Feature *offered[] = {&features[0], &features[1], &features[2], &features[3], NULL};
    if (plugin) peer->instance = lilv_plugin_instantiate(plugin, rate, offered);
    if (!peer->instance || !make_ports(peer, plugin)) return peer_lv2_destroy(peer), NULL;
    lilv_instance_activate(peer->instance);
    return peer;
}

void peer_lv2_destroy(peer_lv2 *peer) {
    if (!peer) return;
    if (peer->instance) {
        lilv_instance_deactivate(peer->instance);
        lilv_instance_free(peer->instance);
    }
    for (uint32_t i = 0; peer->ports && i < peer->count; i++) free(peer->ports[i].events);
    free(peer->ports);
    lilv_world_free(peer->world);
    free(peer);
}

static void connect(peer_lv2 *peer, int kind, uint32_t number, float *samples) {
    for (uint32_t i = 0; i < peer->count; i++)
        if ((int)peer->ports[i].kind == kind && number-- == 0)
            return lilv_instance_connect_port(peer->instance, i, samples);
}

void peer_lv2_input(peer_lv2 *peer, uint32_t number, float *samples) { connect(peer, SOUND_IN, number, samples); }
void peer_lv2_output(peer_lv2 *peer, uint32_t number, float *samples) { connect(peer, SOUND_OUT, number, samples); }

void peer_lv2_run(peer_lv2 *peer, uint32_t frames) {
    for (uint32_t i = 0; i < peer->count; i++) {
        LV2_Atom_Sequence *events = peer->ports[i].events;
        if (!events) continue;
        int is_input = peer->ports[i].kind == EVENTS_IN;
        events->atom.size = is_input ? sizeof events->body : EVENT_BYTES - sizeof events->atom;
        events->atom.type = is_input ? sequence : chunk;
        events->body.unit = events->body.pad = 0;
    }
    lilv_instance_run(peer->instance, frames);
}
