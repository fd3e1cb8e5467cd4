import Convolution
import Rooms
import Signal

/// One room at work: its convolver, which sources play through it, and how loud it is while it comes and goes.
///
/// Made off the audio thread, used by it alone, freed off it; reached by its address (`RoomReference`).
struct RoomPlayer: ~Copyable {
    /// Seconds in which a room fades in or out.
    static let fadeSeconds = 0.1

    private var convolver: RoomConvolver
    private let slice: Int
    private let sourceCount: Int
    /// `[source of the stage]`: the room's source, or −1.
    private let assignment: UnsafeMutablePointer<Int>
    /// `[source of the stage]`: its gain into the room.
    private let gains: UnsafeMutablePointer<Float>
    private let directGain: Float
    /// How far the presence may move in one slice.
    private let step: Float
    private let scratch: PlanarBlock
    /// The room's gain where the slice begins and where it ends, 0…1.
    private var from: Float = 0
    private(set) var presence: Float = 0
    private var isAwake = false

    /// A silent room; takes one transform per partition, source, yaw and ear.
    init(_ room: RoomResponses, configuration: StageConfiguration) {
        slice = configuration.slice
        sourceCount = configuration.sources.count
        convolver = RoomConvolver(
            slice: configuration.slice, fade: configuration.fadeFrames,
            taps: RoomTaps(
                sources: room.sourceCount, yaws: room.yawCount, earlyTaps: room.earlyTaps, tailTaps: room.tailTaps,
                isTailShared: room.isTailShared, early: { room.early(source: $0, yaw: $1, ear: $2) },
                tail: { room.tail(source: $0, ear: $1) }))
        assignment = .allocate(capacity: max(1, sourceCount))
        gains = .allocate(capacity: max(1, sourceCount))
        for source in 0..<sourceCount {
            (assignment + source).initialize(to: room.assignment[source] ?? -1)
            (gains + source).initialize(to: configuration.sources[source].gain)
        }
        directGain = room.directGain
        step = Float(Double(slice) / (RoomPlayer.fadeSeconds * configuration.sampleRate.hertz))
        scratch = PlanarBlock(channels: 2, frames: slice)
    }

    deinit {
        assignment.deallocate()
        gains.deallocate()
    }

    /// Bytes of filters and of everything else.
    var byteCounts: (filters: Int, work: Int) { convolver.byteCounts }

    /// A slice begins, with the head at `yaw` (radians): the presence moves towards `target`, at once where the stream
    /// begins `anew`. A room that was not heard begins with silent history.
    @_noLocks
    mutating func beginSlice(yaw: Double, target: Float, anew: Bool) {
        from = anew ? target : presence
        presence = anew ? target : from + max(-step, min(step, target - from))
        let wasAwake = isAwake
        isAwake = from > 0 || presence > 0
        if isAwake && (anew || !wasAwake) { convolver.reset(yaw: yaw) }
    }

    /// Says where the head is to be (radians) at the end of each fade.
    @_noLocks
    mutating func aim(_ yaws: UnsafePointer<Double>) { if isAwake { convolver.beginSlice(yaws) } }

    /// Makes room for frames of the slice from `position` on.
    @_noLocks
    func prepare(at position: Int, count: Int) {
        guard isAwake else { return }
        for source in 0..<convolver.sources { Samples.clear(convolver.current(source) + position, count: count) }
    }

    /// Takes in a source's frames from `position` on.
    @_noLocks
    func take(_ source: Int, _ samples: UnsafePointer<Float>, at position: Int, count: Int) {
        guard isAwake, assignment[source] >= 0 else { return }
        Samples.add(
            samples, gain: gains[source], to: convolver.current(assignment[source]) + position, count: count)
    }

    /// What the room adds to the gain of a source's head-related path at the slice's beginning and end: 0 without it.
    @_noLocks
    func directChange(_ source: Int) -> SIMD2<Float> {
        assignment[source] >= 0 ? SIMD2(from, presence) * (directGain - 1) : SIMD2(0, 0)
    }

    /// Adds frames `position`..<`position` + count of the slice to both ears. Cost: see `RoomConvolver`.
    @_noLocks
    mutating func add(
        from position: Int, count: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        guard isAwake else { return }
        if from == 1 && presence == 1 {
            convolver.render(from: position, to: position + count, left: left, right: right)
            return
        }
        for ear in 0..<2 { Samples.clear(scratch[ear], count: count) }
        convolver.render(from: position, to: position + count, left: scratch[0], right: scratch[1])
        let rise = (presence - from) / Float(slice)
        for i in 0..<count {
            let gain = from + rise * Float(position + i)
            left[i] += gain * scratch[0][i]
            right[i] += gain * scratch[1][i]
        }
    }

    /// Leaves a slice that is complete.
    @_noLocks
    mutating func endSlice(expecting forecast: YawForecast) {
        if isAwake { convolver.endSlice(expecting: forecast) }
    }
}

/// A room player by its address, which may cross threads as a number.
struct RoomReference: BitwiseCopyable, Sendable, Hashable {
    let address: UInt

    /// The player at an address; `pointer` traps on one that is none.
    @_noLocks
    init(address: UInt) { self.address = address }

    /// The player; alive as long as the renderer's record of it.
    var pointer: UnsafeMutablePointer<RoomPlayer> {
        @_noLocks get { UnsafeMutablePointer(bitPattern: address)! }
    }
}
