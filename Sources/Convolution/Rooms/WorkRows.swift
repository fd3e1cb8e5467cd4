import Signal

/// Rows of samples or spectra, with tables of their addresses for kernels that process several rows in one call.
///
/// The rows exist as long as this value. Entries of `read` may be set to other rows.
package struct WorkRows: ~Copyable {
    private let block: PlanarBlock
    /// `[row]`: address for writing.
    package let write: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    /// `[row]`: address for reading. It is the row itself, unless it is set to another one.
    package let read: UnsafeMutablePointer<UnsafePointer<Float>?>

    /// Allocates `count` silent rows of `length` floats, each 64-byte aligned.
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

    /// Returns row `index`.
    package subscript(index: Int) -> UnsafeMutablePointer<Float> { @_noLocks get { block[index] } }

    /// Bytes of the rows.
    package var byteCount: Int { 4 * block.channelCount * block.frameCapacity }
}
