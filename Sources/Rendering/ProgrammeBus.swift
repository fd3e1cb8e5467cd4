import Signal
import Soundstage

/// What comes before the sources on the audio thread: all programmes of a session, and their way past the filters.
///
/// Reached by pointer from the graph; made and freed by `StageRenderer`, which keeps the programmes alive.
struct ProgrammeBus: ~Copyable {
    /// Channels that come in, of all programmes together.
    let inputCount: Int
    /// Number of programmes.
    let count: Int
    private let stages: UnsafeMutablePointer<UnsafeMutablePointer<ProgrammeStage>>
    /// Where each programme's channels begin.
    private let offsets: UnsafeMutablePointer<Int>
    /// The newest frames of all channels, fit to be worked with.
    private let inputs: PlanarBlock
    /// `[source]`: what it plays, of all programmes in order.
    private let feeds: UnsafeMutablePointer<UnsafePointer<Float>>
    private var direct: DirectPath
    /// `[programme]`: controls that come into force with the next slice, where there are any.
    private let scored: UnsafeMutablePointer<ProgrammeControls>
    private let isScored: UnsafeMutablePointer<Bool>

    /// A bus at rest over at least one programme. Delays past the filters are `longestDelay` frames at most.
    init(_ programmes: [ProgrammeRenderer], delay: Int, longestDelay: Int) {
        count = programmes.count
        stages = .allocate(capacity: count)
        offsets = .allocate(capacity: count)
        scored = .allocate(capacity: count)
        isScored = .allocate(capacity: count)
        isScored.initialize(repeating: false, count: count)
        for (index, programme) in programmes.enumerated() { (scored + index).initialize(to: programme.controls) }
        var (inputCount, feedCount) = (0, 0)
        for (index, programme) in programmes.enumerated() {
            (stages + index).initialize(to: programme.handle)
            (offsets + index).initialize(to: inputCount)
            inputCount += programme.handle.pointee.inputCount
            feedCount += programme.handle.pointee.feedCount
        }
        self.inputCount = inputCount
        inputs = PlanarBlock(channels: inputCount, frames: ProgrammeSlice.longest)
        feeds = .allocate(capacity: max(1, feedCount))
        direct = DirectPath(longest: longestDelay, delay: delay)
        var source = 0
        for index in 0..<count {
            for feed in 0..<stages[index].pointee.feedCount {
                (feeds + source).initialize(to: UnsafePointer(stages[index].pointee.feeds[feed]))
                source += 1
            }
        }
    }

    deinit {
        stages.deallocate()
        offsets.deallocate()
        scored.deallocate()
        isScored.deallocate()
        feeds.deallocate()
    }

    /// Begins anew with silence.
    @_noLocks
    mutating func restart() {
        for index in 0..<count { stages[index].pointee.restart() }
        direct.restart()
    }

    /// Looks what is asked for; at the beginning of a slice. `delay`: of a frontal source through the filters in use.
    @_noLocks
    mutating func beginSlice(turns: borrowing StageTurns, delay: Int, atOnce: Bool) {
        direct.setDelay(delay)
        for index in 0..<count {
            stages[index].pointee.beginSlice(scored: isScored[index] ? UnsafePointer(scored + index) : nil)
            isScored[index] = false
            let controls = stages[index].pointee.controls
            turns.aim(
                index, isTied: controls.mode.isTracked, place: controls.place, width: controls.width, atOnce: atOnce)
        }
    }

    /// Takes the next `count` frames, a slice at most, of all channels from frame `start` of their rows; `connected` says of
    /// each whether anything is delivered on it (nil: on all), `followsGap` that frames were lost before these.
    @_noLocks
    mutating func take(
        _ rows: UnsafePointer<UnsafePointer<Float>>, connected: UnsafePointer<Bool>?, followsGap: Bool, from start: Int,
        count: Int, telemetry: inout Telemetry
    ) {
        for channel in 0..<inputCount {
            telemetry.refusedSamples += Samples.cleanse(rows[channel] + start, to: inputs[channel], count: count)
            telemetry.note(peak: Samples.peak(inputs[channel], count: count), ofInput: channel)
        }
        let channels = UnsafeRawPointer(inputs.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
        for index in 0..<self.count {
            let present: UnsafePointer<Bool>? = if let connected { connected + offsets[index] } else { nil }
            stages[index].pointee.process(
                channels + offsets[index], connected: present, followsGap: followsGap, count: count)
            direct.add(UnsafePointer(stages[index].pointee.direct), count: count, isFirst: index == 0)
        }
    }

    /// Has controls come into force with the slice that begins next.
    @_noLocks
    func score(_ programme: Int, _ controls: ProgrammeControls) {
        guard programme < count else { return }
        scored[programme] = controls
        isScored[programme] = true
    }

    /// Begins a programme anew with other controls.
    @_noLocks
    func restart(_ programme: Int, with controls: ProgrammeControls) {
        if programme < count { stages[programme].pointee.restart(with: controls) }
    }

    /// The controls of a programme, and whether they came into force with the newest slice.
    @_noLocks
    func controls(_ programme: Int) -> (ProgrammeControls, isChanged: Bool) {
        (stages[programme].pointee.controls, stages[programme].pointee.isChanged)
    }

    /// What source `source` plays in the frames last taken.
    @_noLocks
    func feed(_ source: Int) -> UnsafePointer<Float> { feeds[source] }

    /// Adds what goes past the filters to the ears, for the frames last taken.
    @_noLocks
    mutating func hear(count: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
        direct.hear(count: count, left: left, right: right)
    }
}
