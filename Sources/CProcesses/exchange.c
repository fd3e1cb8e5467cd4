#define _GNU_SOURCE
#include "CProcesses.h"

#include <fcntl.h>
#include <stdio.h>

int prc_exchange_files(const char *one, const char *other) {
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}
