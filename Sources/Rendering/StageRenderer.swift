import Convolution
import Geometry
import HRTF
import Inserts
import Rooms
import Signal
import Soundstage
import Synchronization

/// Owner of a stage graph: makes and frees the graph, publishes poses and filter fields, and reads the telemetry.
///
/// The graph behind `handle` belongs to the one thread that calls `process`. All other data cross between threads by
/// mailboxes, rings and the bank exchange. The lock of `control` protects the control side of that exchange. The
/// renderer must outlive every call of `process`.
package final class StageRenderer: Sendable {
    /// Configuration of the stage.
    package let configuration: StageConfiguration
    /// Mailbox for the forecasts of a head tracker. It may have one writer.
    package let mailbox: LatestValue<PoseForecast>
    /// Gate that mutes the ears. Any thread may use it.
    package let gate: ThreadOwned<PlaybackGate>
    /// Plugin chains.
    package let inserts: InsertRenderer
    /// Monitor section of loudspeakers and ears.
    package let monitor: MonitorRenderer
    /// Headphone equalisation.
    package let headphones: HeadphoneRenderer
    /// Largest latency of the output, frames: the latencies of the output limiter, of the slowest programme and of the
    /// plugins, added.
    package var latencyFrames: Int { ownLatency + insertLatency }
    /// Latency of the plugins, frames.
    package var insertLatency: Int { inserts.latency.total }
    private let ownLatency: Int
    /// Latency of the look-ahead limiter, frames; 0 with another kind of limiter.
    package let guardLatencyFrames: Int
    /// Latency of each input channel, frames. The plugins' latency is not included; it is the same for all channels.
    package let inputLatencies: [Int]
    /// Whether the output of a programme depends on which of its inputs are connected.
    package var followsConnections: Bool { programmes.contains { $0.programme.isWatchedOver } }
    /// Graph of the audio thread.
    package let handle: ThreadOwned<StageGraph>

    private struct Control {
        /// The filter banks that exist, each with the spectral field that keeps its pointers valid.
        var banks: [(bank: BankReference, field: SpectralField)]
        var poseRecords: Ring<PoseRecord>?
        var turnRecords: Ring<TurnRecord>?
        var changeRecords: Ring<StageChange>?
    }
    private let control: Mutex<Control>
    private let exchange: BankExchange
    private let telemetryBox: LatestValue<Telemetry>
    /// The programmes, in the order of their channels. Empty if each source plays its input channel.
    package let programmes: [ProgrammeRenderer]
    /// `[programme]`: decoder of a sound field; nil for a programme of loudspeakers.
    private let decoders: [AmbisonicRenderer?]
    private let room: RoomRenderer
    private let track: PoseTrack
    /// Longest transform that a published field may need, samples.
    private let longest: Int

    /// Makes a stage at stream time 0 with silent history. If `room` is nil, the stage has no room.
    ///
    /// Takes some milliseconds and about 1 MB per 16 sources. A room takes 16 bytes more per tap and source, and as
    /// much again for every yaw of its early part. Throws if the configuration, the field or the room cannot be
    /// rendered.
    package init(
        _ configuration: StageConfiguration, field: FilterField, room: RoomResponses? = nil, poses: PoseSource
    ) throws(RenderingError) {
        try configuration.validate()
        self.configuration = configuration
        let rate = configuration.sampleRate.hertz
        let slice = configuration.slice
        let taps = FilterBank.tapCount(of: field)
        guard taps <= StageConfiguration.mostTaps else {
            throw .filtersTooLong(taps: taps, most: StageConfiguration.mostTaps)
        }
        longest = FilterForm(slice: slice, tapCount: max(StageConfiguration.usualTaps, taps)).length
        try StageRenderer.check(field, configuration, longest: longest)
        if let room { try StageRenderer.check(room, configuration) }
        mailbox = LatestValue(PoseForecast.still(.identity))
        telemetryBox = LatestValue(Telemetry())
        exchange = BankExchange()
        let (bank, spectral) = StageRenderer.makeBank(configuration, field)
        control = Mutex(Control(banks: [(bank, spectral)]))
        decoders = StageRenderer.makeDecoders(configuration, field: field)
        self.room = RoomRenderer(configuration)
        if let room { self.room.publish(room) }
        inserts = InsertRenderer(
            StageRenderer.places(configuration), sampleRate: configuration.sampleRate, slice: slice)
        monitor = MonitorRenderer(configuration)
        programmes = try StageRenderer.makeProgrammes(configuration, inserts: inserts)
        let lead = programmes.isEmpty ? nil : programmes[configuration.lead]
        let delay = configuration.posesFollowSound ? lead?.latencyFrames ?? 0 : 0
        track = PoseTrack(poses, delay: configuration.sampleRate.seconds(frames: delay))
        gate = ThreadOwned(PlaybackGate(sampleRate: rate))
        headphones = HeadphoneRenderer(configuration)
        let output = OutputStage(
            kind: configuration.outputGuard, trim: configuration.trim, sampleRate: rate, gate: gate.pointer,
            inserts: inserts, headphones: headphones)
        guardLatencyFrames = output.latencyFrames
        ownLatency = output.latencyFrames + (programmes.map(\.latencyFrames).max() ?? 0)
        let ofProgrammes = programmes.flatMap { [Int](repeating: $0.latencyFrames, count: $0.programme.inputCount) }
        inputLatencies = (0..<configuration.inputCount).map {
            output.latencyFrames + ($0 < ofProgrammes.count ? ofProgrammes[$0] : 0)
        }
        let states = UnsafeMutablePointer<FilterList>.allocate(capacity: StageEars.maximumStates)
        states.initialize(repeating: bank.pointer.pointee.state(), count: StageEars.maximumStates)
        let kept = max(longest, FilterBank.form(of: field, slice: slice).reach)
        let copies = StageRenderer.makeCopies(configuration, kept: kept)
        handle = ThreadOwned(
            StageGraph(
                sampleRate: rate, slice: slice, fade: configuration.fadeFrames,
                sourceCount: configuration.sources.count, voiceCount: configuration.voices.count,
                inputCount: configuration.inputCount, mailbox: mailbox,
                track: track, exchange: exchange, telemetryBox: telemetryBox,
                history: SourceHistory(sourceCount: configuration.played.count, slice: slice, kept: kept),
                copies: copies.pointer, copyProgrammes: copies.programmes, copyCount: copies.count,
                ears: StageEars(slice: slice), output: output, bank: bank, parting: nil,
                programmes: StageRenderer.makeBus(
                    programmes, configuration, decoders: decoders, inserts: inserts,
                    delay: bank.pointer.pointee.directDelay, longest: longest),
                inserts: inserts.handle.pointer,
                monitor: MonitorStage(monitor, configuration),
                posesFollowSound: configuration.posesFollowSound,
                turns: StageTurns(count: programmes.count, lead: configuration.lead, sampleRate: rate),
                room: self.room.handle.pointer, states: states))
    }

    deinit {
        handle.pointee.states.deallocate()
        handle.pointee.programmes?.deinitialize(count: 1)
        handle.pointee.programmes?.deallocate()
        handle.pointee.copies.deinitialize(count: handle.pointee.copyCount)
        handle.pointee.copies.deallocate()
        handle.pointee.copyProgrammes.deallocate()
        handle.pointee.automation?.deinitialize(count: 1)
        handle.pointee.automation?.deallocate()
        handle.deallocate()
        gate.deallocate()
        control.withLock { control in
            for (bank, _) in control.banks { StageRenderer.free(bank) }
            control.banks = []
            control.poseRecords?.deallocate()
            control.turnRecords?.deallocate()
            control.changeRecords?.deallocate()
        }
        exchange.deallocate()
        track.deallocate()
        telemetryBox.deallocate()
        mailbox.deallocate()
    }

    /// Returns the newest telemetry; nil before the first period. Any thread except the audio thread may call it.
    package func telemetry() -> Telemetry? {
        control.withLock { control in
            collect(&control)
            let telemetry = telemetryBox.load()
            return telemetry.periods > 0 ? telemetry : nil
        }
    }

    /// Replaces the filter field. The new field fades in over the next slice that begins. The old one is freed by this
    /// call, by a later call, or with the renderer. Any thread except the audio thread may call it.
    package func publish(field: FilterField) throws(RenderingError) {
        try StageRenderer.check(field, configuration, longest: longest)
        let (bank, spectral) = StageRenderer.makeBank(configuration, field)
        for decoder in decoders { decoder?.publish(field: field) }
        control.withLock { control in
            collect(&control)
            control.banks.append((bank, spectral))
            if let untaken = exchange.publish(bank) { discard(untaken, &control) }
        }
    }

    /// Replaces the room. Within a tenth of a second the new room fades in and the old one fades out. Rooms out of use
    /// are freed by this call, by a later call, or with the renderer. Any thread except the audio thread may call it.
    package func publish(room: RoomResponses) throws(RenderingError) {
        try StageRenderer.check(room, configuration)
        self.room.publish(room)
    }

    /// Fades the room in or out within a tenth of a second. Without the room the stage is dry. A room is on initially.
    /// Any thread.
    package func setRoom(on: Bool) { room.set(on: on) }

    /// Number of rooms in memory: the room in use, and rooms that are not yet in use or not yet freed.
    package var heldRoomCount: Int { room.count }

    /// Number of filter fields in memory: the field in use, and fields that are not yet in use or not yet freed.
    package var heldFieldCount: Int {
        control.withLock { control in
            collect(&control)
            return control.banks.count
        }
    }

    /// Records the head's pose at the beginning of the stream (frame 0, again after each restart) and at the end of
    /// every fade. A pose log of these records renders the same motion again. The ring holds at least `capacity`
    /// records between two calls of `drainPoses`; when it is full, new records are lost. Call before the first period.
    package func recordPoses(capacity: Int) {
        control.withLock { control in
            guard control.poseRecords == nil else { return }
            let ring = Ring(minimumCapacity: capacity, filling: PoseRecord(streamFrame: 0, headToStage: .identity))
            control.poseRecords = ring
            handle.pointee.poseRecords = ring
        }
    }

    /// Returns the poses recorded since the last call, in order. Any thread except the audio thread may call it.
    package func drainPoses() -> [PoseRecord] {
        control.withLock { $0.poseRecords?.drain() ?? [] }
    }

    /// The programme whose stage the room follows: the first sound field, or the first programme if there is no sound
    /// field. Nil without programmes.
    package var lead: ProgrammeRenderer? { programmes.isEmpty ? nil : programmes[configuration.lead] }

    /// Records each change of the head's expected yaw rate, which a room uses. A log of poses with these rates gives
    /// the same sound in a room again. The ring holds at least `capacity` records between two calls of `drainTurns`.
    /// Call before the first period.
    package func recordTurns(capacity: Int) {
        control.withLock { control in
            guard control.turnRecords == nil else { return }
            let ring = Ring(
                minimumCapacity: capacity, filling: TurnRecord(streamFrame: 0, perFrame: 0))
            control.turnRecords = ring
            handle.pointee.turnRecords = ring
        }
    }

    /// Returns the expected yaw rates recorded since the last call, in order. Any thread except the audio thread may
    /// call it.
    package func drainTurns() -> [TurnRecord] {
        control.withLock { $0.turnRecords?.drain() ?? [] }
    }

    /// Records the controls of programmes, room and headphones, and the switches of loudspeakers. All of them are
    /// recorded where the stream begins (frame 0, again after each restart), the switches if any loudspeaker is silent
    /// or inverted; later each change, with the frame of the slice from which it applies. The ring holds at least
    /// `capacity` records between two calls of `drainChanges`. Does nothing without programmes. Call before the first
    /// period.
    package func recordChanges(capacity: Int) {
        guard let first = programmes.first else { return }
        control.withLock { control in
            guard control.changeRecords == nil else { return }
            let filling = StageChange(programme: 0, controls: first.controls, frame: 0)
            let ring = Ring(minimumCapacity: capacity, filling: filling)
            control.changeRecords = ring
            handle.pointee.changeRecords = ring
        }
    }

    /// Returns the changes recorded since the last call, in order. Any thread except the audio thread may call it.
    package func drainChanges() -> [StageChange] {
        control.withLock { $0.changeRecords?.drain() ?? [] }
    }

    /// Replays recorded changes at their frames. Other changes of the controls still apply between them. Call once,
    /// before the first period; a second call traps.
    package func follow(_ changes: [StageChange]) {
        precondition(handle.pointee.automation == nil, "a stage follows one automation")
        let automation = UnsafeMutablePointer<StageAutomation>.allocate(capacity: 1)
        automation.initialize(to: StageAutomation(changes))
        handle.pointee.automation = automation
        handle.pointee.beginAutomation()
    }

    /// Frees the banks that the audio thread has returned.
    private func collect(_ control: inout Control) {
        while let bank = exchange.collect() { discard(bank, &control) }
    }

    private func discard(_ bank: BankReference, _ control: inout Control) {
        StageRenderer.free(bank)
        control.banks.removeAll { $0.bank == bank }
    }
}
