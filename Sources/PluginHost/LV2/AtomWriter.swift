import CRealtime

/// Writer of atoms, the messages of LV2, into memory of fixed size. An atom consists of its length and type (four bytes
/// each), its body, and padding to eight bytes. Data that do not fit, and all data after them, are omitted; `isWhole`
/// is then false.
struct AtomWriter {
    /// Memory for the atoms, aligned to eight bytes.
    let memory: UnsafeMutableRawPointer
    /// Size of the memory, bytes.
    let capacity: Int
    /// Number of bytes written.
    private(set) var count = 0
    /// Whether all data have fitted so far.
    private(set) var isWhole = true

    /// Creates a writer into `capacity` bytes.
    @_noLocks
    init(_ memory: UnsafeMutableRawPointer, capacity: Int) {
        self.memory = memory
        self.capacity = capacity
    }

    /// Writes a 4-byte number.
    @_noLocks
    mutating func put(_ number: UInt32) {
        guard isWhole, count + 4 <= capacity else {
            isWhole = false
            return
        }
        memory.storeBytes(of: number, toByteOffset: count, as: UInt32.self)
        count += 4
    }

    /// Writes an 8-byte number.
    @_noLocks
    mutating func put(_ number: UInt64) {
        put(UInt32(truncatingIfNeeded: number))
        put(UInt32(truncatingIfNeeded: number >> 32))
    }

    /// Writes bytes, padded to a multiple of eight.
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

    /// Writes the header of an atom.
    @_noLocks
    mutating func head(size: Int, type: UInt32) {
        put(UInt32(truncatingIfNeeded: size))
        put(type)
    }

    /// Writes the header of an object whose body has `size` bytes, and the first 8 of these bytes.
    @_noLocks
    mutating func object(size: Int, kind: UInt32, _ uris: Vocabulary) {
        head(size: size, type: uris.object)
        put(UInt32(0))
        put(kind)
    }

    /// Writes a property of an object whose value is a 4-byte number, given by its bits. Takes 24 bytes.
    @_noLocks
    mutating func property(_ key: UInt32, _ bits: UInt32, type: UInt32) {
        put(key)
        put(UInt32(0))
        head(size: 4, type: type)
        put(bits)
        put(UInt32(0))
    }

    /// Writes a property of an object whose value is an 8-byte number, given by its bits. Takes 24 bytes.
    @_noLocks
    mutating func property(_ key: UInt32, _ bits: UInt64, type: UInt32) {
        put(key)
        put(UInt32(0))
        head(size: 8, type: type)
        put(bits)
    }
}
