#pragma once
// How HDF5 reads the files that we are given: by a driver of our own, which looks at every address first.
//
// HDF5's own driver for plain files gathers small reads, and an address that a damaged file leaves undefined (all ones) is
// there taken for the place of what it has gathered: it copies from nowhere (libhdf5 1.10). This one gathers nothing, reads
// nothing outside the file, fills nothing up with zeros, and never writes.
#include <stdint.h>

/// Opens the regular file at `path` for reading, and locks it against writers where HDF5 is told to lock (a file that is
/// written elsewhere is refused). Returns HDF5's handle of the file (`hid_t`, to be closed by H5Fclose), or a negative number,
/// with the reason on HDF5's error stack: "the system does not ...: " and the system's words, "it is open for writing
/// elsewhere", or HDF5's own. A file that is open already is shared, as with HDF5's own driver. Its low-level handle
/// (H5Fget_vfd_handle) points to the descriptor, an `int`. Any thread that may use HDF5; waits for the disk.
int64_t chdf5_driver_open(const char *path);
