#include "CPlugins.h"

#include <serd/serd.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    SerdEnv *names;
    ptrdiff_t statements;
    /// The first fault.
    int line;
    int column;
    char *text;
    size_t size;
    /// The first name whose prefix is not declared. The reader does not report the position of the name.
    char strange[128];
} turtle;

static SerdStatus note(void *handle, const SerdError *error) {
    turtle *file = handle;
    if (file->line == 0) {
        file->line = error->line > 0 ? (int)error->line : 1;
        file->column = (int)error->col;
        vsnprintf(file->text, file->size, error->fmt, *error->args);
        file->text[strcspn(file->text, "\n")] = 0;
    }
    return SERD_SUCCESS;
}

static SerdStatus base(void *handle, const SerdNode *uri) { return serd_env_set_base_uri(((turtle *)handle)->names, uri); }

static SerdStatus prefix(void *handle, const SerdNode *name, const SerdNode *uri) {
    return serd_env_set_prefix(((turtle *)handle)->names, name, uri);
}

static void check_name(turtle *file, const SerdNode *node) {
    SerdChunk before, after;
    if (node && node->type == SERD_CURIE && !*file->strange && serd_env_expand(file->names, node, &before, &after)) {
        snprintf(file->strange, sizeof file->strange, "%s", (const char *)node->buf);
    }
}

static SerdStatus count(
    void *handle, SerdStatementFlags flags, const SerdNode *graph, const SerdNode *subject, const SerdNode *predicate,
    const SerdNode *object, const SerdNode *datatype, const SerdNode *language) {
    (void)flags, (void)graph, (void)language;
    turtle *file = handle;
    file->statements++;
    check_name(file, subject);
    check_name(file, predicate);
    check_name(file, object);
    check_name(file, datatype);
    return SERD_SUCCESS;
}

/// Finds the first position of the name whose prefix is not declared, and writes the text of the fault.
static void find(turtle *file, FILE *stream) {
    char line[4096];
    file->line = 1;
    rewind(stream);
    for (int number = 1; fgets(line, sizeof line, stream); number++) {
        const char *place = strstr(line, file->strange);
        if (!place) continue;
        file->line = number;
        file->column = (int)(place - line) + 1;
        break;
    }
    snprintf(file->text, file->size, "the prefix of %s is not declared", file->strange);
}

int prc_check_turtle(const char *path, int *column, char *text, size_t size, ptrdiff_t *statements) {
    FILE *stream = fopen(path, "rb");
    if (!stream) return -1;
    turtle file = {.names = serd_env_new(NULL), .text = text, .size = size};
    SerdReader *reader = serd_reader_new(SERD_TURTLE, &file, NULL, base, prefix, count, NULL);
    serd_reader_set_error_sink(reader, note, &file);
    const SerdStatus status = serd_reader_read_file_handle(reader, stream, (const uint8_t *)path);
    serd_reader_free(reader);
    if (file.line == 0 && *file.strange) find(&file, stream);
    if (file.line == 0 && status > SERD_FAILURE) {
        file.line = file.column = 1;
        snprintf(text, size, "%s", (const char *)serd_strerror(status));
    }
    serd_env_free(file.names);
    fclose(stream);
    *column = file.column;
    *statements = file.statements;
    return file.line;
}
