#pragma once
// HDF5 driver for untrusted files, which checks every address before reading.
//
// HDF5's own driver for plain files buffers small reads of metadata. It takes an address that a damaged file leaves
// undefined (all ones) for one within its buffer and copies from invalid memory (libhdf5 1.10). This driver buffers no
// metadata, reads nothing outside the file, pads nothing with zeros, and never writes.
#include <stdint.h>

/// First words of the reason if the system refused the file; the system's own message follows.
#define CHDF5_SYSTEM_FAULT "the file cannot be "
/// The reason if another program has locked the file for writing.
#define CHDF5_WRITTEN_ELSEWHERE "it is open for writing elsewhere"

/// Opens the regular file at `path` for reading, and locks it against writers if HDF5 is configured to lock (a file
/// that is being written elsewhere is refused). Returns HDF5's handle of the file (`hid_t`, to be closed by H5Fclose),
/// or a negative number with the reason on HDF5's error stack: `CHDF5_SYSTEM_FAULT` and the system's message,
/// `CHDF5_WRITTEN_ELSEWHERE`, or HDF5's own. An open file is shared, as with HDF5's own driver. The low-level
/// handle (H5Fget_vfd_handle) points to the descriptor, an `int`. Any thread that may use HDF5 may call it; waits for
/// the disk.
int64_t chdf5_driver_open(const char *path);
