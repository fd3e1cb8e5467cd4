#ifndef PROSCENIUM_CPANEL_H
#define PROSCENIUM_CPANEL_H

#include <stddef.h>

/// A file of the panel as it was when the program was compiled.
typedef struct {
    /// Its name below the panel's folder.
    const char *_Nonnull name;
    /// What it is (media type).
    const char *_Nonnull type;
    /// Its bytes; they live as long as the program.
    const unsigned char *_Nonnull bytes;
    /// How many there are.
    size_t count;
} PanelFile;

/// The file of a number, 0 and up; NULL where there are no more.
const PanelFile *_Nullable panel_file(size_t number);

#endif
