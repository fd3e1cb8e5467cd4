import Signal

/// Rows of samples or spectra with their addresses in tables, as kernels take several at once.
///
/// The memory is the block's and lives as long; the tables of what is read may be pointed elsewhere.
package struct WorkRows: ~Copyable {
    private let block: PlanarBlock
    /// `[row]`, for writing.
    package let write: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    /// `[row]`, for reading; the rows of the block unless set otherwise.
    package let read: UnsafeMutablePointer<UnsafePointer<Float>?>

    /// `count` silent rows of `length` floats, each 64-byte aligned.
    package init(count: Int, length: Int) {
        block = PlanarBlock(channels: count, frames: length)
        write = .allocate(capacity: max(1, count))
        read = .allocate(capacity: max(1, count))
        for row in 0..<count {
            (write + row).initialize(to: block[row])
            (read + row).initialize(to: UnsafePointer(block[row]))
        }
    }

    deinit {
        write.deallocate()
        read.deallocate()
    }

    /// The row `index` of the block.
    package subscript(index: Int) -> UnsafeMutablePointer<Float> { @_noLocks get { block[index] } }

    /// Bytes of the rows.
    package var byteCount: Int { 4 * block.channelCount * block.frameCapacity }
}
