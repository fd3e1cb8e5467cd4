import CHDF5

/// A part of an open variable: a selection in the file and a dataspace in memory. Both are closed with this value.
struct HDF5Slab: ~Copyable {
    let file: hid_t
    let memory: hid_t
    /// Whether the part lies within the variable.
    let isThere: Bool

    /// Selects `count` values along each axis, from `start` on.
    init(of dataset: hid_t, start: [Int], count: [Int]) {
        file = H5Dget_space(dataset)
        let sizes = count.map { hsize_t($0) }
        memory = H5Screate_simple(Int32(sizes.count), sizes, nil)
        isThere = H5Sselect_hyperslab(file, H5S_SELECT_SET, start.map { hsize_t($0) }, nil, sizes, nil) >= 0
    }

    deinit {
        H5Sclose(file)
        H5Sclose(memory)
    }
}
