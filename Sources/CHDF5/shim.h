#pragma once
#include <hdf5.h>

// HDF5's type and property constants are macros that open the library first; Swift calls these functions instead.
static inline hid_t chdf5_native_double(void) { return H5T_NATIVE_DOUBLE; }
static inline hid_t chdf5_file_create(void) { return H5P_FILE_CREATE; }
static inline hid_t chdf5_file_access(void) { return H5P_FILE_ACCESS; }
static inline hid_t chdf5_dataset_create(void) { return H5P_DATASET_CREATE; }
static inline hid_t chdf5_dataset_access(void) { return H5P_DATASET_ACCESS; }
static inline hid_t chdf5_ieee_f64le(void) { return H5T_IEEE_F64LE; }
static inline hid_t chdf5_c_s1(void) { return H5T_C_S1; }
static inline hid_t chdf5_native_float(void) { return H5T_NATIVE_FLOAT; }
static inline hid_t chdf5_native_int16(void) { return H5T_NATIVE_INT16; }
static inline hid_t chdf5_ieee_f32be(void) { return H5T_IEEE_F32BE; }
static inline hid_t chdf5_object_reference(void) { return H5T_STD_REF_OBJ; }

// Flags that are macros with casts or side effects.
static inline unsigned chdf5_read_only(void) { return H5F_ACC_RDONLY; }
static inline unsigned chdf5_truncate(void) { return H5F_ACC_TRUNC; }

// Returns the kind of a link in the root group: 0 hard, 1 soft, 64 external, −1 absent, −2 unreadable.
static inline int chdf5_link_kind(hid_t file, const char *name) {
    htri_t exists = H5Lexists(file, name, H5P_DEFAULT);
    if (exists <= 0) return exists == 0 ? -1 : -2;
    H5L_info_t info;
    if (H5Lget_info(file, name, &info, H5P_DEFAULT) < 0) return -2;
    return (int)info.type;
}
// Returns 1 if the named object is a dataset, 0 if it is another object, −1 if it cannot be opened.
static inline int chdf5_is_dataset(hid_t file, const char *name) {
    hid_t object = H5Oopen(file, name, H5P_DEFAULT);
    if (object < 0) return -1;
    int yes = H5Iget_type(object) == H5I_DATASET;
    H5Oclose(object);
    return yes;
}
