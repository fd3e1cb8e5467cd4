import CRealtime
import Convolution
import Geometry
import Inserts
import Signal
import Soundstage

/// What comes before the sources on the audio thread: all programmes of a session, the sound field with them, and their
/// ways to the ears.
///
/// Reached by pointer from the graph; made and freed by `StageRenderer`, which keeps the programmes alive.
struct ProgrammeBus: ~Copyable {
    /// Channels that come in, of all programmes together.
    let inputCount: Int
    /// Number of programmes.
    let count: Int
    private let stages: UnsafeMutablePointer<UnsafeMutablePointer<ProgrammeStage>>
    /// `[programme]`: where its feeds go.
    private let ways: UnsafeMutablePointer<ProgrammeWay>
    /// Whether any programme has loudspeakers, and with them a way past the filters.
    private let hasLoudspeakers: Bool
    /// Where each programme's channels begin.
    private let offsets: UnsafeMutablePointer<Int>
    /// Room for the newest frames of all channels.
    private let rows: PlanarBlock
    /// `[channel]`: its newest frames, fit to be worked with: where the source will look for them or, of programmes
    /// that make their feeds of what comes in, in `rows`.
    private let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private var direct: DirectPath
    /// Chains of plugins, where they are, and room for what goes past the filters.
    private let inserts: UnsafeMutablePointer<InsertStage>
    private let firstLoudspeaker: Int
    private let past: Int
    private let effectsPast: Int
    /// What goes past the filters, of the programmes and of the effects.
    private let pairs: PlanarBlock
    private let sends: EffectSends
    /// `[programme]`: controls that come into force with the next slice, where there are any.
    private let automated: UnsafeMutablePointer<ProgrammeControls>
    private let isAutomated: UnsafeMutablePointer<Bool>

    /// A bus at rest over at least one programme, with the way of each and what effects are sent. Delays past the
    /// filters are `longestDelay` frames at most.
    init(
        _ programmes: [ProgrammeRenderer], ways list: [ProgrammeWay], sends: consuming EffectSends,
        inserts: InsertRenderer, delay: Int, longestDelay: Int
    ) {
        self.sends = sends
        self.inserts = inserts.handle.pointer
        firstLoudspeaker = inserts.places.loudspeaker(0)
        past = inserts.places.past
        effectsPast = inserts.places.effectsPast
        pairs = PlanarBlock(channels: 4, frames: ProgrammeSlice.longest)
        count = programmes.count
        stages = .allocate(capacity: count)
        ways = .allocate(capacity: count)
        ways.initialize(from: list, count: count)
        hasLoudspeakers = list.contains(where: \.hasLoudspeakers)
        offsets = .allocate(capacity: count)
        automated = .allocate(capacity: count)
        isAutomated = .allocate(capacity: count)
        isAutomated.initialize(repeating: false, count: count)
        for (index, programme) in programmes.enumerated() { (automated + index).initialize(to: programme.controls) }
        var inputCount = 0
        for (index, programme) in programmes.enumerated() {
            (stages + index).initialize(to: programme.handle.pointer)
            (offsets + index).initialize(to: inputCount)
            inputCount += programme.handle.pointee.inputCount
        }
        self.inputCount = inputCount
        rows = PlanarBlock(channels: inputCount, frames: ProgrammeSlice.longest)
        inputs = .allocate(capacity: max(1, inputCount))
        inputs.initialize(from: rows.pointers, count: inputCount)
        direct = DirectPath(longest: longestDelay, delay: delay)
    }

    deinit {
        stages.deallocate()
        ways.deallocate()
        offsets.deallocate()
        automated.deallocate()
        isAutomated.deallocate()
        inputs.deallocate()
    }

    /// Begins anew with silence.
    @_noLocks
    mutating func restart() {
        for index in 0..<count {
            stages[index].pointee.restart()
            ways[index].restart()
        }
        direct.restart()
    }

    /// Looks what is asked for; at the beginning of a slice. `delay`: of a frontal source through the filters in use.
    @_noLocks
    mutating func beginSlice(turns: borrowing StageTurns, delay: Int, atOnce: Bool) {
        direct.setDelay(delay)
        for index in 0..<count {
            stages[index].pointee.beginSlice(automated: isAutomated[index] ? UnsafePointer(automated + index) : nil)
            isAutomated[index] = false
            let controls = stages[index].pointee.controls
            turns.aim(
                index, isTied: controls.mode.isTracked, place: controls.place, width: controls.width, atOnce: atOnce)
        }
    }

    /// Asks for the colour of the upmixes in stages that lie to the head as `turns` say, from `colours` of each
    /// programme, which come over the next `frames`, or `atOnce`; `isNew` where they are of other filters than before.
    /// They are for a dry stage: a `room` takes them back. After `beginSlice`.
    @_noLocks
    func aimColours(
        _ colours: UnsafePointer<UpmixColourTable>, turns: UnsafePointer<Quaternion>, room: borrowing RoomStage,
        isNew: Bool, frames: Int, atOnce: Bool
    ) {
        var source = 0
        for index in 0..<count {
            if colours[index].groups > 0 {
                let front = turns[index].rotate(SIMD3(1, 0, 0))
                stages[index].pointee.aimColour(
                    colours[index], azimuth: prc_atan2(front.y, front.x), share: 1 - room.share(source),
                    isNew: isNew, frames: frames, atOnce: atOnce)
            }
            if ways[index].hasLoudspeakers { source += stages[index].pointee.feedCount }
        }
    }

    /// Has the sound field begin a slice where the head is at a pose; see `ProgrammeWay.begin`.
    @_noLocks
    func begin(headToStage: Quaternion, anew: Bool) {
        for index in 0..<count { ways[index].begin(headToStage: headToStage, anew: anew) }
    }

    /// Says where the head is to be at the end of one of the slice's fades, 1 and on.
    @_noLocks
    func aim(fade: Int, headToStage: Quaternion) {
        for index in 0..<count { ways[index].aim(fade: fade, headToStage: headToStage) }
    }

    /// Leaves a slice that is complete.
    @_noLocks
    func endSlice() {
        for index in 0..<count { ways[index].endSlice() }
    }

    /// Has voices stand where they are heard so many frames after the slice's beginning. `places`: of all sources.
    @_noLocks
    func placeVoices(_ places: UnsafeMutablePointer<SIMD3<Double>>, ahead frames: Int) {
        for index in 0..<count { ways[index].placeVoices(of: stages[index], places, ahead: frames) }
    }

    /// Takes the next `count` frames, a slice at most, of all channels from frame `start` of their rows, and leaves
    /// what the sources play in the slice's frames from `position` on: first the programmes, then the effects, which
    /// are sent what the programmes play after their plugins, whether it stands on the stage or not. `connected` says
    /// of each channel whether anything is delivered on it (nil: on all),
    /// `followsGap` that frames were lost before these.
    @_noLocks
    mutating func take(
        _ heard: UnsafePointer<UnsafePointer<Float>>, connected: UnsafePointer<Bool>?, followsGap: Bool,
        from start: Int,
        count: Int, to history: borrowing SourceHistory, at position: Int, telemetry: inout Telemetry
    ) {
        for index in 0..<self.count {
            ways[index].lay(stages[index], inputs: inputs + offsets[index], into: history, at: position)
        }
        for channel in 0..<inputCount {
            let taken = Samples.take(heard[channel] + start, to: inputs[channel], count: count)
            telemetry.refusedSamples += taken.refused
            telemetry.note(peak: taken.peak, ofInput: channel)
        }
        let channels = UnsafeRawPointer(inputs).assumingMemoryBound(to: UnsafePointer<Float>.self)
        for index in 0..<self.count where !stages[index].pointee.isEffect {
            let present: UnsafePointer<Bool>? = if let connected { connected + offsets[index] } else { nil }
            stages[index].pointee.fill(
                channels + offsets[index], connected: present, followsGap: followsGap, count: count)
        }
        if !sends.isEmpty {
            sends.fill(history, at: position, count: count)
            for index in 0..<self.count where stages[index].pointee.isEffect { stages[index].pointee.shape(count) }
        }
        var isFirst = true
        for index in 0..<self.count {
            stages[index].pointee.pass(count)
            ways[index].give(stages[index], at: position, count: count)
            if inserts.pointee.isEmpty, ways[index].hasLoudspeakers {
                direct.add(UnsafePointer(stages[index].pointee.direct), count: count, isFirst: isFirst)
                isFirst = false
            }
        }
        if hasLoudspeakers, !inserts.pointee.isEmpty { insert(count: count) }
    }

    /// Passes every loudspeaker's feed through its chain, and what goes past the filters through what keeps it in time.
    @_noLocks
    private mutating func insert(count: Int) {
        var place = firstLoudspeaker
        for row in 0..<(sends.isEmpty ? 2 : 4) { Samples.clear(pairs[row], count: count) }
        for index in 0..<self.count where ways[index].hasLoudspeakers {
            let stage = stages[index]
            for feed in 0..<stage.pointee.feedCount {
                inserts.pointee.process(place: place, stage.pointee.feeds + feed, count: count)
                place += 1
            }
            let first = stage.pointee.isEffect ? 2 : 0
            for ear in 0..<2 {
                Samples.add(stage.pointee.direct[ear], gain: 1, to: pairs[first + ear], count: count)
            }
        }
        inserts.pointee.process(place: past, pairs.pointers, count: count)
        direct.add(UnsafePointer(pairs.pointers), count: count, isFirst: true)
        guard !sends.isEmpty else { return }
        inserts.pointee.process(place: effectsPast, pairs.pointers + 2, count: count)
        direct.add(UnsafePointer(pairs.pointers + 2), count: count, isFirst: false)
    }

    /// Has controls come into force with the slice that begins next.
    @_noLocks
    func automate(_ programme: Int, _ controls: ProgrammeControls) {
        guard programme < count else { return }
        automated[programme] = controls
        isAutomated[programme] = true
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

    /// Adds what goes past the filters to the ears, and the sound field, for the frames last taken, which are those of
    /// the slice from `position` on.
    @_noLocks
    mutating func hear(
        from position: Int, count: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        if hasLoudspeakers { direct.hear(count: count, left: left, right: right) }
        for index in 0..<self.count {
            ways[index].hear(from: position, count: count, left: left, right: right)
        }
    }
}
