import CPlugins
import CRealtime
import Glibc
import Signal

/// Memory that the host and the child (the process that runs a plugin) share: their progress (the head), and ring
/// buffers of samples. The index of a frame in a ring buffer is its position modulo the capacity.
///
/// The numbers of the head are atomic. Samples belong to the side that writes them until the head publishes them. The
/// value is a handle: copies refer to the same memory.
struct ExchangeMemory: Sendable {
    /// Shape for which the memory was laid out.
    let shape: ExchangeShape
    /// Progress of both sides.
    let head: SharedPlace<ExchangeHead>
    /// Bell that the host rings for the child, and bell that the child rings for the host.
    let childBell: ExchangeBell
    let hostBell: ExchangeBell
    /// `[frame]`: number of frames from this frame to the end of the host's call. `offlineBit` is set if the host waits
    /// for the output of the call.
    let calls: ThreadOwned<UInt32>
    /// Ring buffers of input and output samples, `[channel][frame]`.
    private let inputs: ThreadOwned<Float>
    private let outputs: ThreadOwned<Float>
    private let mask: Int
    /// Whole memory as bytes.
    private let base: ThreadOwned<UInt8>

    /// Flag in `calls`: the host waits for the output.
    static var offlineBit: UInt32 { @_noLocks get { 1 << 31 } }
    /// Number of bytes for the head and the bells, and offsets of the bells.
    private static let headBytes = 4096
    private static let (childBellByte, hostBellByte) = (2048, 3072)

    /// Returns the number of bytes that a shape needs.
    static func bytes(_ shape: ExchangeShape) -> Int {
        headBytes + shape.capacity * 4 * (1 + shape.inputs + shape.outputs)
    }

    /// Maps the shared memory of a file descriptor, which the host has created (`isNew`) or the child has received.
    /// Returns nil if this fails.
    init?(_ descriptor: Int32, _ shape: ExchangeShape, isNew: Bool) {
        guard let base = prc_map_shared_memory(descriptor, Self.bytes(shape)) else { return nil }
        self.base = ThreadOwned(at: base.assumingMemoryBound(to: UInt8.self))
        self.shape = shape
        mask = shape.capacity - 1
        let head = base.bindMemory(to: ExchangeHead.self, capacity: 1)
        if isNew { head.initialize(to: ExchangeHead()) }
        self.head = SharedPlace(at: head)
        childBell = ExchangeBell(base + Self.childBellByte, isNew: isNew)
        hostBell = ExchangeBell(base + Self.hostBellByte, isNew: isNew)
        calls = ThreadOwned(at: (base + Self.headBytes).bindMemory(to: UInt32.self, capacity: shape.capacity))
        let inputs = (base + Self.headBytes + shape.capacity * 4).bindMemory(
            to: Float.self, capacity: shape.capacity * (shape.inputs + shape.outputs))
        self.inputs = ThreadOwned(at: inputs)
        outputs = ThreadOwned(at: inputs + shape.capacity * shape.inputs)
    }

    /// Unmaps the memory; it must not be used afterwards.
    func unmap() { munmap(base.pointer, Self.bytes(shape)) }

    /// Number of frames in a ring buffer.
    var capacity: Int { @_noLocks get { mask + 1 } }

    /// Returns the index of a frame in a ring buffer.
    @_noLocks
    func slot(_ place: Int) -> Int { place & mask }

    /// Copies a row into the ring buffer of an input.
    @_noLocks
    func write(_ row: UnsafePointer<Float>, input channel: Int, at place: Int, count: Int) {
        put(row, inputs.pointer + channel * capacity, place, count)
    }

    /// Copies a row into the ring buffer of an output.
    @_noLocks
    func write(_ row: UnsafePointer<Float>, output channel: Int, at place: Int, count: Int) {
        put(row, outputs.pointer + channel * capacity, place, count)
    }

    /// Copies a row from the ring buffer of an input.
    @_noLocks
    func read(_ row: UnsafeMutablePointer<Float>, input channel: Int, at place: Int, count: Int) {
        take(row, inputs.pointer + channel * capacity, place, count)
    }

    /// Copies a row from the ring buffer of an output.
    @_noLocks
    func read(_ row: UnsafeMutablePointer<Float>, output channel: Int, at place: Int, count: Int) {
        take(row, outputs.pointer + channel * capacity, place, count)
    }

    @_noLocks
    private func put(_ row: UnsafePointer<Float>, _ ring: UnsafeMutablePointer<Float>, _ place: Int, _ count: Int) {
        let whole = min(count, capacity - slot(place))
        prc_copy(ring + slot(place), row, whole * 4)
        if whole < count { prc_copy(ring, row + whole, (count - whole) * 4) }
    }

    @_noLocks
    private func take(_ row: UnsafeMutablePointer<Float>, _ ring: UnsafePointer<Float>, _ place: Int, _ count: Int) {
        let whole = min(count, capacity - slot(place))
        prc_copy(row, ring + slot(place), whole * 4)
        if whole < count { prc_copy(row + whole, ring, (count - whole) * 4) }
    }
}
