#define _GNU_SOURCE
#include "CProcesses.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

static void close_all(const int *descriptors, int count) {
    for (int i = 0; i < count; i++) {
        if (descriptors[i] >= 0) close(descriptors[i]);
    }
}

// Returns this process's environment, with Swift's backtraces disabled, because crashes of the child are expected.
// Returns null if memory is exhausted. The caller must free the list.
static char **child_environment(void) {
    static char quiet[] = "SWIFT_BACKTRACE=enable=no";
    size_t count = 0;
    while (environ && environ[count]) count++;
    char **all = calloc(count + 2, sizeof *all);
    if (!all) return NULL;
    size_t kept = 0;
    all[kept++] = quiet;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], "SWIFT_BACKTRACE=", 16) != 0) all[kept++] = environ[i];
    }
    return all;
}

ptrdiff_t prc_say_to_child(const prc_child *child, const void *bytes, size_t count) {
    const ssize_t sent = send(child->lifeline, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) return sent;
    return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

int prc_make_memory(void) { return memfd_create("memory", MFD_CLOEXEC); }

int prc_start_child(char *const *words, int passed, prc_child *child) {
    // Both ends of the input and of the output, and the file for standard error.
    int ends[5] = {-1, -1, -1, -1, -1};
    ends[4] = memfd_create("words", MFD_CLOEXEC);
    if (ends[4] < 0 || fcntl(ends[4], F_SETFL, O_APPEND) < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0 ||
        pipe2(ends + 2, O_CLOEXEC) < 0) {
        const int code = errno;
        close_all(ends, 5);
        return code;
    }
    char **environment = child_environment();
    if (!environment) {
        close_all(ends, 5);
        return ENOMEM;
    }
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
    posix_spawn_file_actions_adddup2(&actions, ends[3], 1);
    posix_spawn_file_actions_adddup2(&actions, ends[4], 2);
    if (passed >= 0) posix_spawn_file_actions_adddup2(&actions, passed, 3);
    posix_spawn_file_actions_addclosefrom_np(&actions, passed >= 0 ? 4 : 3);
    posix_spawnattr_init(&attributes);
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    const int code = posix_spawn(&child->process, words[0], &actions, &attributes, words, environment);
    free(environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (code != 0) {
        close_all(ends, 5);
        return code;
    }
    close(ends[0]);
    close(ends[3]);
    child->lifeline = ends[1];
    child->output = ends[2];
    child->words = ends[4];
    return 0;
}
