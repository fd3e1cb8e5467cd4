#ifndef PROSCENIUM_CWORDS_H
#define PROSCENIUM_CWORDS_H

#include <stddef.h>

/// Text that is part of the program, in UTF-8.
typedef struct {
    /// Its bytes; they live as long as the program.
    const unsigned char *_Nonnull bytes;
    /// Their number.
    size_t count;
} WordsText;

/// The table of the arguments of all commands, `arguments.txt`, as it was when the program was compiled.
WordsText words_of_arguments(void);

#endif
