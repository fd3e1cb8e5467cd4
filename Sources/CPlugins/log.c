#include "CPlugins.h"

#include <stdarg.h>
#include <stdio.h>

static int write_list(LV2_Log_Handle handle, LV2_URID type, const char *format, va_list list) {
    prc_plugin_log *log = handle;
    char text[512];
    const int length = vsnprintf(text, sizeof text, format, list);
    log->line(log->context, type, text);
    return length;
}

static int write_line(LV2_Log_Handle handle, LV2_URID type, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const int length = write_list(handle, type, format, list);
    va_end(list);
    return length;
}

void prc_plugin_log_begin(prc_plugin_log *log, prc_plugin_log_line line, void *context) {
    log->log.handle = log;
    log->log.printf = write_line;
    log->log.vprintf = write_list;
    log->line = line;
    log->context = context;
}
