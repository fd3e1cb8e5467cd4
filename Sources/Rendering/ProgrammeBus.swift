import CRealtime
import Convolution
import Geometry
import Inserts
import Signal
import Soundstage

/// All programmes of a stage on the audio thread. The bus reads their inputs. It passes the feeds that they make to the
/// sources (virtual loudspeakers) or, for a sound field, to a decoder.
///
/// `StageGraph` uses the bus by pointer. `StageRenderer` makes and frees the bus, and keeps the programmes in memory.
struct ProgrammeBus: ~Copyable {
    /// Input channels of all programmes together.
    let inputCount: Int
    /// Number of programmes.
    let count: Int
    private let stages: UnsafeMutablePointer<UnsafeMutablePointer<ProgrammeStage>>
    /// `[programme]`: how its feeds reach the ears.
    private let ways: UnsafeMutablePointer<ProgrammeWay>
    /// Whether any programme has loudspeakers. Such a programme also has a path that bypasses the filters.
    private let hasLoudspeakers: Bool
    /// `[programme]`: index of its first input channel.
    private let offsets: UnsafeMutablePointer<Int>
    /// Memory for the newest frames of all channels.
    private let rows: PlanarBlock
    /// `[channel]`: its newest frames, with unusable samples replaced. They lie in `rows`, or in the feeds' memory for
    /// a programme whose feeds begin as copies of the inputs (`ProgrammeStage.isPlain`).
    private let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private var direct: DirectPath
    /// Plugin chains.
    private let inserts: UnsafeMutablePointer<InsertStage>
    /// Index of the first loudspeaker's chain among the plugin chains.
    private let firstLoudspeaker: Int
    /// Index of the direct path's chain among the plugin chains.
    private let past: Int
    /// Index of the chain of the effects' direct path among the plugin chains.
    private let effectsPast: Int
    /// Rows 0 and 1: the programmes' signals that bypass the filters. Rows 2 and 3: the effects' signals that do so.
    private let pairs: PlanarBlock
    private let sends: EffectSends
    /// `[programme]`: recorded controls that apply from the next slice.
    private let automated: UnsafeMutablePointer<ProgrammeControls>
    /// `[programme]`: whether `automated` has controls for the next slice.
    private let isAutomated: UnsafeMutablePointer<Bool>

    /// Makes a bus at rest for at least one programme. `list` has the way of each programme to the ears. The direct
    /// path is delayed by `delay` frames at first, and by at most `longestDelay` frames later.
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

    /// Resets to silence.
    @_noLocks
    mutating func restart() {
        for index in 0..<count {
            stages[index].pointee.restart()
            ways[index].restart()
        }
        direct.restart()
    }

    /// Applies the controls at the beginning of a slice. `delay` is the delay of a frontal source through the filters
    /// in use, frames.
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

    /// Sets the colour filters of the upmixes from the programmes' tables `colours`. Call after `beginSlice`.
    ///
    /// `turns` has the rotation from each programme's stage to the head. The filters change over the next `frames`
    /// frames, or immediately with `atOnce`. `isNew` is true if the filters are new. The tables are for a stage without
    /// a room, so the more `room` is in the sound, the less the filters are applied.
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

    /// Begins a slice of the sound fields with the head at a pose; see `ProgrammeWay.begin`.
    @_noLocks
    func begin(headToStage: Quaternion, anew: Bool) {
        for index in 0..<count { ways[index].begin(headToStage: headToStage, anew: anew) }
    }

    /// Sets the head's pose at the end of one of the slice's fades, counted from 1.
    @_noLocks
    func aim(fade: Int, headToStage: Quaternion) {
        for index in 0..<count { ways[index].aim(fade: fade, headToStage: headToStage) }
    }

    /// Ends a slice that is completely rendered.
    @_noLocks
    func endSlice() {
        for index in 0..<count { ways[index].endSlice() }
    }

    /// Sets the directions of voices for the time `frames` frames after the slice's beginning. `places` has the
    /// directions of all sources.
    @_noLocks
    func placeVoices(_ places: UnsafeMutablePointer<SIMD3<Double>>, ahead frames: Int) {
        for index in 0..<count { ways[index].placeVoices(of: stages[index], places, ahead: frames) }
    }

    /// Reads the next `count` frames of all channels, beginning at frame `start` of their rows, and writes the sources'
    /// feeds into the slice, beginning at frame `position`.
    ///
    /// `count` is at most a slice. Programmes are processed first, then the effects. The input of an effect is the sum
    /// of programmes' feeds after the programmes' own plugins, whether or not the programmes are placed on the stage.
    /// `connected[channel]` is true if the channel has a connection; if `connected` is nil, all have. `followsGap` is
    /// true if frames were lost before these.
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

    /// Passes every loudspeaker's feed through its plugin chain. Passes the signals that bypass the filters through
    /// delays that match these chains.
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

    /// Sets recorded controls that apply from the next slice.
    @_noLocks
    func automate(_ programme: Int, _ controls: ProgrammeControls) {
        guard programme < count else { return }
        automated[programme] = controls
        isAutomated[programme] = true
    }

    /// Restarts a programme with the given controls.
    @_noLocks
    func restart(_ programme: Int, with controls: ProgrammeControls) {
        if programme < count { stages[programme].pointee.restart(with: controls) }
    }

    /// Returns the controls of a programme, and whether they changed at the beginning of the newest slice.
    @_noLocks
    func controls(_ programme: Int) -> (ProgrammeControls, isChanged: Bool) {
        (stages[programme].pointee.controls, stages[programme].pointee.isChanged)
    }

    /// Adds the signals that bypass the filters, and the sound fields, to the ears. The frames are those of the last
    /// `take`, which begin at frame `position` of the slice.
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
