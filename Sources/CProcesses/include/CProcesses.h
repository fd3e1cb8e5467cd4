/// Kernel functions for processes and folders that Swift cannot call directly.
#pragma once
#include <stddef.h>

/// A child process and this process's ends of the connections to it.
typedef struct {
    int process;   ///< Process id, and id of the process group.
    int lifeline;  ///< Socket to the standard input. When it is closed, the child reads the end of the file.
    int output;    ///< Standard output, for reading.
    int words;     ///< Standard error: a file without a name in memory, to which each write is appended.
} prc_child;

/// Starts `words[0]` with the arguments `words` (ended by a null pointer) in its own process group, with default signal
/// handling. The child inherits no other file except `passed`, which becomes its descriptor 3 (-1: none). Returns 0, or
/// the system's error number; then nothing is open or running.
int prc_start_child(char *const *words, int passed, prc_child *child);

/// Creates an empty file without a name in memory. It grows as it is written, and can be passed to a child. Returns its
/// descriptor, which is closed on exec, or -1 with the reason in errno.
int prc_make_memory(void);

/// Writes as many of `count` bytes to the lifeline as possible without waiting, and without a signal if the child is
/// gone. Returns the number of bytes written: 0 if the buffer is full, -1 if the child accepts no more bytes.
ptrdiff_t prc_say_to_child(const prc_child *child, const void *bytes, size_t count);

/// Exchanges the names of two files or folders of one file system in one step. Returns 0, or -1 with the reason in
/// errno.
int prc_exchange_files(const char *one, const char *other);
