import Synchronization

/// Control inputs of one instance: requests to the audio thread, and the values that the plugin reads there.
///
/// Each control has its own slot for the newest request, so that no control's newest request is lost or waits behind
/// others. A count of all requests shows the audio thread that there are new ones. The value is a handle: copies refer
/// to the same controls. One thread makes requests; the audio thread reads them.
struct LV2Controls {
    /// Number of controls.
    let count: Int
    /// Values that the plugin reads; they belong to the audio thread.
    let values: UnsafeMutablePointer<Float>
    /// Newest request of each control; see `Request`.
    private let requests: UnsafeMutablePointer<Atomic<UInt64>>
    /// Number of requests so far.
    private let asked: UnsafeMutablePointer<Atomic<Int>>
    /// Motions of the controls and state of the reader, private to the audio thread.
    private let moves: UnsafeMutablePointer<Move>
    private let state: UnsafeMutablePointer<State>
    /// Whether any control returns to its rest value after each call.
    private let hasTriggers: Bool

    /// Motion of a control.
    private struct Move: BitwiseCopyable {
        /// Request that the control follows, in packed form.
        var request: UInt64
        /// Target value.
        var target: Float
        /// Number of frames until the target.
        var frames: Int32
        /// Value to which the control returns after each call; NaN for none.
        var rest: Float
    }
    private struct State: BitwiseCopyable {
        /// Number of requests read so far.
        var seen = 0
        /// Whether any control moves towards its target.
        var isMoving = false
    }

    /// Creates controls at their initial values, in the plugin's order.
    init(_ controls: [PluginControl], _ memory: LV2Memory) {
        count = controls.count
        values = memory.row(count, of: 0)
        requests = memory.atomics(count, of: UInt64(0))
        asked = memory.atomics(1, of: 0)
        moves = memory.row(count, of: Move(request: 0, target: 0, frames: 0, rest: .nan))
        state = memory.row(1, of: State())
        hasTriggers = controls.contains { $0.kind == .trigger }
        for (i, control) in controls.enumerated() {
            values[i] = control.initial
            moves[i].target = control.initial
            if control.kind == .trigger { moves[i].rest = control.initial }
        }
    }

    /// Request in 64 bits: the bits of the value (32), the number of frames of the motion (24), and a count (8) that
    /// distinguishes the request from the previous one.
    private enum Request {
        static let longest = 1 << 24 - 1

        static func pack(_ value: Float, frames: Int, after last: UInt64) -> UInt64 {
            let length = UInt64(max(0, min(longest, frames)))
            return UInt64(value.bitPattern) << 32 | length << 8 | (last &+ 1) & 0xff
        }
    }

    // MARK: The control side

    /// Requests a value that is reached within `frames` frames, 0…2²⁴ − 1; 0 means at the next call.
    func ask(_ index: Int, for value: Float, frames: Int) {
        put(index, value, frames)
        publish()
    }

    /// Requests several values, which the audio thread applies in one call.
    func ask(_ wanted: [(index: Int, value: Float, frames: Int)]) {
        for request in wanted { put(request.index, request.value, request.frames) }
        publish()
    }

    private func put(_ index: Int, _ value: Float, _ frames: Int) {
        let last = requests[index].load(ordering: .relaxed)
        requests[index].store(Request.pack(value, frames: frames, after: last), ordering: .releasing)
    }

    private func publish() { asked.pointee.add(1, ordering: .releasing) }

    // MARK: The audio thread

    /// Advances all controls by `frames` frames; the plugin then reads the values at the end of these frames. With
    /// `isDeaf`, new requests wait for a later call.
    @_noLocks
    func advance(frames: Int, isDeaf: Bool = false) {
        let requested = isDeaf ? state.pointee.seen : asked.pointee.load(ordering: .acquiring)
        if requested != state.pointee.seen {
            state.pointee.seen = requested
            for i in 0..<count { follow(i) }
        }
        guard state.pointee.isMoving else { return }
        var isMoving = false
        for i in 0..<count where moves[i].frames > 0 {
            let left = Int(moves[i].frames)
            if frames >= left {
                values[i] = moves[i].target
                moves[i].frames = 0
            } else {
                values[i] += (moves[i].target - values[i]) * Float(frames) / Float(left)
                moves[i].frames = Int32(left - frames)
                isMoving = true
            }
        }
        state.pointee.isMoving = isMoving
    }

    /// Starts the motion for a control's newest request, unless it has started already.
    @_noLocks
    private func follow(_ i: Int) {
        let request = requests[i].load(ordering: .acquiring)
        guard request != moves[i].request else { return }
        moves[i].request = request
        moves[i].target = Float(bitPattern: UInt32(truncatingIfNeeded: request >> 32))
        // At least one frame, so that the value is reached in this call.
        moves[i].frames = max(1, Int32(truncatingIfNeeded: (request >> 8) & 0xff_ffff))
        state.pointee.isMoving = true
    }

    /// Sets trigger controls to their rest values, after a call.
    @_noLocks
    func release() {
        guard hasTriggers else { return }
        for i in 0..<count where !moves[i].rest.isNaN { values[i] = moves[i].rest }
    }

    /// Sets all controls to their targets.
    @_noLocks
    func settle() { advance(frames: Int(Int32.max)) }
}
