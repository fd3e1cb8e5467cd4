#pragma once
#include <hdf5.h>

// HDF5's type and property constants are macros that first open the library; Swift sees them through these.
static inline hid_t chdf5_native_double(void) { return H5T_NATIVE_DOUBLE; }
static inline hid_t chdf5_file_create(void) { return H5P_FILE_CREATE; }
static inline hid_t chdf5_dataset_create(void) { return H5P_DATASET_CREATE; }
static inline hid_t chdf5_ieee_f64le(void) { return H5T_IEEE_F64LE; }
static inline hid_t chdf5_c_s1(void) { return H5T_C_S1; }
