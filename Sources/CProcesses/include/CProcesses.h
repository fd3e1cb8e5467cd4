/// What the kernel does for processes and folders by calls that Swift does not see.
#pragma once
#include <stddef.h>

/// A child and our ends of what joins us.
typedef struct {
    int process;   ///< Its number, that of its group, too.
    int lifeline;  ///< Its standard input's far end, a socket: when it closes, the child reads the end.
    int output;    ///< Its standard output, to be read.
    int words;     ///< Its standard error: a file without a name, in memory, to which each write is added at the end.
} prc_child;

/// Starts `words[0]` with `words` (ended by a null pointer) in a group of its own, signals as at first, no other file of ours open
/// but `passed`, which it has as its descriptor 3 (-1: none). 0, or the system's error number; then nothing is open or running.
int prc_start_child(char *const *words, int passed, prc_child *child);

/// Makes a file without a name, in memory, empty, which can be passed to a child and grows as it is written. Its descriptor, closed
/// where another program begins; or -1 with the reason in errno.
int prc_make_memory(void);

/// Writes to the lifeline what it takes at once of `count` bytes, without a signal where the child is gone. The number of bytes, 0
/// where it takes none now, or -1 where it takes none any more.
ptrdiff_t prc_say_to_child(const prc_child *child, const void *bytes, size_t count);

/// Has two files or folders of one file system change places in one step. 0, or -1 with the reason in errno.
int prc_exchange_files(const char *one, const char *other);
