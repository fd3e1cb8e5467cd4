import Glibc

/// An unnamed file in memory, which a child fills and this process reads. The content is copied, not mapped: access to
/// a mapped file that a child truncates would crash this process.
package struct ReadingMemory {
    /// File descriptor of the memory in a child.
    package static let passed: Int32 = 3

    /// The memory's file descriptor.
    package let descriptor: Int32

    /// Writes bytes at an offset; returns false if not all are written, for example for lack of space.
    package func write(_ bytes: UnsafeRawBufferPointer, at place: Int = 0) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(place + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// Returns the first `count` elements of a trivial type; nil if there are fewer, if reading fails, or if `count` is
    /// negative.
    package func read<Element: BitwiseCopyable>(_ count: Int, of type: Element.Type = Element.self) -> [Element]? {
        var status = stat()
        let size = MemoryLayout<Element>.stride
        guard count >= 0, fstat(descriptor, &status) == 0, count <= Int(status.st_size) / size else { return nil }
        var isWhole = true
        let elements = [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            var done = 0
            while done < count * size, isWhole {
                let read = pread(
                    descriptor, bytes.baseAddress?.advanced(by: done), count * size - done, off_t(done))
                if read > 0 { done += read } else if read == 0 || errno != EINTR { isWhole = false }
            }
            initialized = isWhole ? count : 0
        }
        return isWhole ? elements : nil
    }
}
