import Convolution
import Rooms
import Signal

/// One room in use: the convolver for all sources, the fade-in and the fade-out.
///
/// Only the audio thread uses the player; other threads make and free it. `RoomReference` holds the address.
struct RoomPlayer: ~Copyable {
    /// Duration of a room's fade-in or fade-out, seconds.
    static let fadeSeconds = 0.1

    private var convolver: RoomConvolver
    private let slice: Int
    private let sourceCount: Int
    /// `[source of the stage]`: index of the source in the room; −1 for a source that does not sound in the room.
    private let assignment: UnsafeMutablePointer<Int>
    /// `[source of the stage]`: linear gain from the source into the room.
    private let gains: UnsafeMutablePointer<Float>
    /// Linear gain of sources in the room before their HRTF filters (the head-related path).
    private let directGain: Float
    /// Increase of a fade's elapsed share per slice.
    private let step: Float
    private let scratch: PlanarBlock
    /// Gain of the room's input at the slice's beginning, 0…1. A new room has a silent past. Its input fades in, so
    /// that no reflection begins abruptly.
    private var feedFrom: Float = 0
    /// Gain of the room's input at the slice's end, 0…1.
    private var feed: Float = 0
    /// Gain of the room's output at the slice's beginning, 0…1. The output fades out at the end of the room's use.
    private var presenceFrom: Float = 0
    /// Gain of the room's output at the slice's end, 0…1.
    private(set) var presence: Float = 0
    /// Elapsed shares of the input's and the output's fade, 0…1.
    private var feedCourse: Float = 0, presenceCourse: Float = 0
    /// Whether the room is audible in this slice. Otherwise its convolver does not run.
    private var isAwake = false

    /// Prepares a silent room. Takes one transform per partition, source, yaw and ear.
    init(_ room: RoomResponses, configuration: StageConfiguration) {
        slice = configuration.slice
        sourceCount = configuration.played.count
        convolver = RoomConvolver(
            slice: configuration.slice, fade: min(configuration.slice, configuration.fadeFrames),
            taps: RoomTaps(
                sources: room.sourceCount, yaws: room.yawCount, earlyTaps: room.earlyTaps, tailTaps: room.tailTaps,
                isTailShared: room.isTailShared, early: { room.early(source: $0, yaw: $1, ear: $2) },
                tail: { room.tail(source: $0, ear: $1) }))
        assignment = .allocate(capacity: max(1, sourceCount))
        gains = .allocate(capacity: max(1, sourceCount))
        for source in 0..<sourceCount {
            (assignment + source).initialize(to: room.assignment[source] ?? -1)
            (gains + source).initialize(to: configuration.played[source].gain)
        }
        directGain = room.directGain
        step = Float(Double(slice) / (RoomPlayer.fadeSeconds * configuration.sampleRate.hertz))
        scratch = PlanarBlock(channels: 2, frames: slice)
    }

    deinit {
        assignment.deallocate()
        gains.deallocate()
    }

    /// Bytes of the filters, and bytes of all other memory.
    var byteCounts: (filters: Int, work: Int) { convolver.byteCounts }

    /// Begins a slice, with the head at `yaw` (radians). `isWanted` is true if the room is switched on. The gains move
    /// to the values of this state, immediately if the stream begins (`anew`). If a room that was not audible is
    /// switched on, its output has full gain immediately, and its input fades in.
    @_noLocks
    mutating func beginSlice(yaw: Double, isWanted: Bool, anew: Bool) {
        let wasAwake = isAwake
        if anew || !wasAwake {
            presenceCourse = isWanted ? 1 : 0
            feedCourse = anew ? 1 : 0
            (feed, presence) = (feedCourse, presenceCourse)
        }
        (feedFrom, presenceFrom) = (feed, presence)
        feedCourse = min(1, feedCourse + step)
        presenceCourse = isWanted ? min(1, presenceCourse + step) : max(0, presenceCourse - step)
        (feed, presence) = (SmoothStep.value(feedCourse), SmoothStep.value(presenceCourse))
        isAwake = presenceFrom > 0 || presence > 0
        if isAwake && (anew || !wasAwake) { convolver.reset(yaw: yaw) }
    }

    /// Sets the head's yaw at the end of each fade of the slice, radians.
    @_noLocks
    mutating func aim(_ yaws: UnsafePointer<Double>) { if isAwake { convolver.beginSlice(yaws) } }

    /// Clears the room's inputs for `count` frames of the slice, from frame `position` on.
    @_noLocks
    func prepare(at position: Int, count: Int) {
        guard isAwake else { return }
        for source in 0..<convolver.sources { Samples.clear(convolver.current(source) + position, count: count) }
    }

    /// Adds `count` frames of a source to the room's input, from frame `position` on.
    @_noLocks
    func take(_ source: Int, _ samples: UnsafePointer<Float>, at position: Int, count: Int) {
        guard isAwake, assignment[source] >= 0 else { return }
        let target = convolver.current(assignment[source]) + position
        if feedFrom == 1 {
            Samples.add(samples, gain: gains[source], to: target, count: count)
            return
        }
        let rise = (feed - feedFrom) / Float(slice)
        for i in 0..<count { target[i] += gains[source] * (feedFrom + rise * Float(position + i)) * samples[i] }
    }

    /// Returns the change that the room makes to the gain of a source's head-related path, at the slice's beginning and
    /// end. Both are 0 if the source is not in the room, or if the room is not audible.
    @_noLocks
    func directChange(_ source: Int) -> SIMD2<Float> {
        guard isAwake, assignment[source] >= 0 else { return SIMD2(0, 0) }
        return SIMD2(feedFrom * presenceFrom, feed * presence) * (directGain - 1)
    }

    /// Returns the gain of the room for a source at the slice's end, 0…1.
    @_noLocks
    func share(_ source: Int) -> Float { isAwake && assignment[source] >= 0 ? feed * presence : 0 }

    /// Adds frames `position`..<`position` + count of the slice to both ears. Cost: see `RoomConvolver`.
    @_noLocks
    mutating func add(
        from position: Int, count: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        guard isAwake else { return }
        if presenceFrom == 1 && presence == 1 {
            convolver.render(from: position, to: position + count, left: left, right: right)
            return
        }
        for ear in 0..<2 { Samples.clear(scratch[ear], count: count) }
        convolver.render(from: position, to: position + count, left: scratch[0], right: scratch[1])
        let rise = (presence - presenceFrom) / Float(slice)
        for i in 0..<count {
            let gain = presenceFrom + rise * Float(position + i)
            left[i] += gain * scratch[0][i]
            right[i] += gain * scratch[1][i]
        }
    }

    /// Ends a slice that is completely rendered. `forecast` is the yaw that is expected after the slice.
    @_noLocks
    mutating func endSlice(expecting forecast: YawForecast) {
        if isAwake { convolver.endSlice(expecting: forecast) }
    }
}

/// Address of a room player, as a number that can be passed between threads.
struct RoomReference: BitwiseCopyable, Sendable, Hashable {
    let address: UInt

    /// Stores an address; `pointer` traps on 0.
    @_noLocks
    init(address: UInt) { self.address = address }

    /// The player. It is valid until the renderer frees it.
    var pointer: UnsafeMutablePointer<RoomPlayer> {
        @_noLocks get { UnsafeMutablePointer(bitPattern: address)! }
    }
}
