import CRealtime

/// Writes atoms, the standard's messages, into memory of a fixed size: each its length and its type, four bytes each,
/// its body, and what fills it up to eight bytes. Total: what does not fit is left out and makes `isWhole` false.
struct AtomWriter {
    /// Where it writes; on a boundary of eight bytes.
    let memory: UnsafeMutableRawPointer
    /// Bytes there is room for.
    let capacity: Int
    /// Bytes written.
    private(set) var count = 0
    /// Whether all that was to be written is.
    private(set) var isWhole = true

    /// A writer into `capacity` bytes.
    @_noLocks
    init(_ memory: UnsafeMutableRawPointer, capacity: Int) {
        self.memory = memory
        self.capacity = capacity
    }

    /// Writes a number of four bytes.
    @_noLocks
    mutating func put(_ number: UInt32) {
        guard isWhole, count + 4 <= capacity else {
            isWhole = false
            return
        }
        memory.storeBytes(of: number, toByteOffset: count, as: UInt32.self)
        count += 4
    }

    /// Writes a number of eight bytes.
    @_noLocks
    mutating func put(_ number: UInt64) {
        put(UInt32(truncatingIfNeeded: number))
        put(UInt32(truncatingIfNeeded: number >> 32))
    }

    /// Writes bytes and fills them up to eight.
    @_noLocks
    mutating func put(bytes: UnsafeRawPointer, count size: Int) {
        guard isWhole, count + (size + 7) & ~7 <= capacity else {
            isWhole = false
            return
        }
        prc_copy(memory + count, bytes, size)
        count += size
        while count & 7 != 0 {
            memory.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
            count += 1
        }
    }

    /// Writes the head of an atom.
    @_noLocks
    mutating func head(size: Int, type: UInt32) {
        put(UInt32(truncatingIfNeeded: size))
        put(type)
    }

    /// Writes the head of an object whose body, 8 bytes of it among them, has `size` bytes.
    @_noLocks
    mutating func object(size: Int, kind: UInt32, _ uris: Vocabulary) {
        head(size: size, type: uris.object)
        put(UInt32(0))
        put(kind)
    }

    /// Writes a property of an object, a number of four bytes by its bits: 24 bytes.
    @_noLocks
    mutating func property(_ key: UInt32, _ bits: UInt32, type: UInt32) {
        put(key)
        put(UInt32(0))
        head(size: 4, type: type)
        put(bits)
        put(UInt32(0))
    }

    /// Writes a property of an object, a number of eight bytes by its bits: 24 bytes.
    @_noLocks
    mutating func property(_ key: UInt32, _ bits: UInt64, type: UInt32) {
        put(key)
        put(UInt32(0))
        head(size: 8, type: type)
        put(bits)
    }
}
