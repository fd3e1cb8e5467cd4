import Synchronization

/// The control inputs of one instance: what was asked for, on its way to the audio thread, and the values the plugin
/// reads there.
///
/// Each control has a place of its own for the newest request, so that none is ever lost and none comes late behind
/// others; a count of all requests tells the audio thread that there is something to look for. A handle: copies are the
/// same controls. One thread asks, one plays.
struct LV2Controls {
    /// How many.
    let count: Int
    /// What the plugin reads; the audio thread's.
    let values: UnsafeMutablePointer<Float>
    /// The newest request of each: see `Request`.
    private let requests: UnsafeMutablePointer<Atomic<UInt64>>
    /// How many requests there were.
    private let asked: UnsafeMutablePointer<Atomic<Int>>
    /// The audio thread's own.
    private let moves: UnsafeMutablePointer<Move>
    private let state: UnsafeMutablePointer<State>
    /// Whether any control returns to rest after each call.
    private let hasTriggers: Bool

    /// How a control moves.
    private struct Move: BitwiseCopyable {
        /// The request it follows, as it stood in its place.
        var request: UInt64
        /// Where it goes.
        var target: Float
        /// Frames until it is there.
        var frames: Int32
        /// What it returns to after each call in which it was set; NaN where it stays.
        var rest: Float
    }
    private struct State: BitwiseCopyable {
        /// Requests looked at.
        var seen = 0
        /// Whether any control moves, or has to return.
        var isMoving = false
    }

    /// Controls at their first values, in the plugin's order.
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

    /// A request in 64 bits: the value's, the frames within which to be there (24), and a count (8) that tells it from
    /// the one before.
    private enum Request {
        static let longest = 1 << 24 - 1

        static func pack(_ value: Float, frames: Int, after last: UInt64) -> UInt64 {
            let length = UInt64(max(0, min(longest, frames)))
            return UInt64(value.bitPattern) << 32 | length << 8 | (last &+ 1) & 0xff
        }
    }

    // MARK: The control side

    /// Asks for a value within so many frames, 0…2²⁴ − 1; 0: at the next call.
    func ask(_ index: Int, for value: Float, frames: Int) {
        put(index, value, frames)
        publish()
    }

    /// Asks for many values, which the audio thread takes up in one call.
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

    /// Moves all controls on by `frames` frames: what the plugin reads is where they are at the end of them. `isDeaf`:
    /// new requests wait for a later call.
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

    /// Takes up a control's newest request, if it is one.
    @_noLocks
    private func follow(_ i: Int) {
        let request = requests[i].load(ordering: .acquiring)
        guard request != moves[i].request else { return }
        moves[i].request = request
        moves[i].target = Float(bitPattern: UInt32(truncatingIfNeeded: request >> 32))
        // At least one frame, so that it arrives in this call.
        moves[i].frames = max(1, Int32(truncatingIfNeeded: (request >> 8) & 0xff_ffff))
        state.pointee.isMoving = true
    }

    /// Has those that act once return to rest, after a call.
    @_noLocks
    func release() {
        guard hasTriggers else { return }
        for i in 0..<count where !moves[i].rest.isNaN { values[i] = moves[i].rest }
    }

    /// Puts all controls where they go.
    @_noLocks
    func settle() { advance(frames: Int(Int32.max)) }
}
