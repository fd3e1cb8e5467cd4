import Convolution
import Geometry
import HRTF
import Inserts
import Rooms
import Signal
import Soundstage
import Synchronization

/// Owner of a `StageGraph`: makes and frees the graph, publishes poses, filter fields and rooms, and reads the
/// telemetry.
///
/// The graph behind `handle` belongs to the one thread that calls `process`. All other data cross between threads by
/// mailboxes, rings and the bank exchange. The lock of `reports` protects the reading side of telemetry and rings. The
/// renderer must outlive every call of `process`.
package final class StageRenderer: Sendable {
    /// Configuration of the stage.
    package let configuration: StageConfiguration
    /// Poses of the head.
    private let poses: StagePoses
    /// Gate that mutes the ears. Any thread may use it.
    package let gate: ThreadOwned<PlaybackGate>
    /// Plugin chains.
    package let inserts: InsertRenderer
    /// Monitor section of loudspeakers and ears.
    package let monitor: MonitorRenderer
    /// Headphone equalisation.
    package let headphones: HeadphoneRenderer
    /// Latencies without the plugins, whose latency is the same for all input channels.
    package let latency: StageLatency
    /// Graph of the audio thread.
    package let handle: ThreadOwned<StageGraph>
    /// The programmes, in the order of their channels. Empty if each source plays its input channel.
    package let programmes: [ProgrammeRenderer]
    private let fields: FieldRenderer
    private let room: RoomRenderer
    private let reports: Mutex<StageReports>

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
        let longest = try FieldRenderer.longest(for: field, configuration)
        if let room { try StageRenderer.check(room, configuration) }
        fields = FieldRenderer(configuration, field, longest: longest)
        let bank = fields.newest
        let telemetryBox = LatestValue(Telemetry())
        reports = Mutex(StageReports(telemetryBox))
        self.room = RoomRenderer(configuration)
        if let room { self.room.publish(room) }
        inserts = InsertRenderer(
            StageRenderer.places(configuration), sampleRate: configuration.sampleRate, slice: slice)
        monitor = MonitorRenderer(configuration)
        programmes = try StageRenderer.makeProgrammes(configuration, inserts: inserts)
        let lead = programmes.isEmpty ? nil : programmes[configuration.lead]
        let delay = configuration.posesFollowSound ? lead?.latencyFrames ?? 0 : 0
        self.poses = StagePoses(poses, delay: configuration.sampleRate.seconds(frames: delay))
        gate = ThreadOwned(PlaybackGate(sampleRate: rate))
        headphones = HeadphoneRenderer(configuration)
        let output = OutputStage(
            kind: configuration.outputGuard, trim: configuration.trim, sampleRate: rate, gate: gate.pointer,
            inserts: inserts, headphones: headphones)
        latency = StageLatency(
            guardFrames: output.latencyFrames, programmes: programmes, inputCount: configuration.inputCount)
        let states = UnsafeMutablePointer<FilterList>.allocate(capacity: StageEars.maximumStates)
        states.initialize(repeating: bank.pointer.pointee.state(), count: StageEars.maximumStates)
        let kept = max(longest, FilterBank.form(of: field, slice: slice).reach)
        let copies = StageRenderer.makeCopies(configuration, kept: kept)
        handle = ThreadOwned(
            StageGraph(
                sampleRate: rate, slice: slice, fade: configuration.fadeFrames,
                sourceCount: configuration.sources.count, voiceCount: configuration.voices.count,
                inputCount: configuration.inputCount, mailbox: self.poses.mailbox,
                track: self.poses.track, exchange: fields.exchange, telemetryBox: telemetryBox,
                history: SourceHistory(sourceCount: configuration.played.count, slice: slice, kept: kept),
                copies: copies.pointer, copyProgrammes: copies.programmes, copyCount: copies.count,
                ears: StageEars(slice: slice), output: output, bank: bank, parting: nil,
                programmes: StageRenderer.makeBus(
                    programmes, configuration, decoders: fields.decoders, inserts: inserts,
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
        reports.withLock { $0.deallocate() }
        poses.deallocate()
    }

    /// Mailbox for the forecasts of a head tracker. Only one thread may write to it.
    package var mailbox: LatestValue<PoseForecast> { poses.mailbox }

    /// Largest latency of the output, frames: the latencies of the output limiter, of the slowest programme and of the
    /// plugins, added.
    package var latencyFrames: Int { latency.largest + insertLatency }

    /// Latency of the plugins, frames.
    package var insertLatency: Int { inserts.latency.total }

    /// Whether the output of a programme depends on which of its inputs are connected.
    package var followsConnections: Bool { programmes.contains { $0.programme.isWatchedOver } }

    /// Returns the newest telemetry; nil before the first period. Any thread except the audio thread may call it.
    package func telemetry() -> Telemetry? {
        fields.collect()
        return reports.withLock { $0.newest }
    }

    /// Replaces the filter field. The new field fades in over the next slice that begins. The old one is freed by this
    /// call, by a later call, or with the renderer. Any thread except the audio thread may call it.
    package func publish(field: FilterField) throws(RenderingError) {
        try fields.publish(field)
    }

    /// Replaces the room. After the present crossfade, if any, the new room fades in and the old one fades out within a
    /// tenth of a second. Rooms out of use are freed by this call, by a later call, or with the renderer. Any thread
    /// except the audio thread may call it.
    package func publish(room: RoomResponses) throws(RenderingError) {
        try StageRenderer.check(room, configuration)
        self.room.publish(room)
    }

    /// Fades the room in or out within a tenth of a second. Without the room the stage is dry. A room is on initially.
    /// Any thread may call it.
    package func setRoom(on: Bool) { room.set(on: on) }

    /// Number of rooms in memory: the room in use, and rooms that are not yet in use or not yet freed.
    package var heldRoomCount: Int { room.count }

    /// Number of filter fields in memory: the field in use, and fields that are not yet in use or not yet freed.
    package var heldFieldCount: Int { fields.count }

    /// Records the head's pose at the beginning of the stream (frame 0, again after each restart) and at the end of
    /// every fade. A pose log of these records renders the same motion again. The ring holds at least `capacity`
    /// records between two calls of `drainPoses`; when it is full, new records are lost. Call before the first period.
    package func recordPoses(capacity: Int) {
        reports.withLock { reports in
            if let ring = reports.beginPoses(capacity: capacity) { handle.pointee.poseRecords = ring }
        }
    }

    /// Returns the poses recorded since the last call, in order. Any thread except the audio thread may call it.
    package func drainPoses() -> [PoseRecord] {
        reports.withLock { $0.drainPoses() }
    }

    /// The programme whose stage the room follows: the first sound field, or the first programme if there is no sound
    /// field. Nil without programmes.
    package var lead: ProgrammeRenderer? { programmes.isEmpty ? nil : programmes[configuration.lead] }

    /// Records each change of the head's expected yaw rate, which a room uses. A log of poses with these rates gives
    /// the same sound in a room again. The ring holds at least `capacity` records between two calls of `drainTurns`.
    /// Call before the first period.
    package func recordTurns(capacity: Int) {
        reports.withLock { reports in
            if let ring = reports.beginTurns(capacity: capacity) { handle.pointee.turnRecords = ring }
        }
    }

    /// Returns the expected yaw rates recorded since the last call, in order. Any thread except the audio thread may
    /// call it.
    package func drainTurns() -> [TurnRecord] {
        reports.withLock { $0.drainTurns() }
    }

    /// Records the controls of programmes, room and headphones, and the switches of loudspeakers. Where the stream
    /// begins (frame 0, again after each restart), all of them are recorded, except neutral switches and absent
    /// headphones. Later each change is recorded, with the frame of the slice from which it applies. The ring holds at
    /// least `capacity` records between two calls of `drainChanges`. Does nothing without programmes. Call before the
    /// first period.
    package func recordChanges(capacity: Int) {
        guard let first = programmes.first else { return }
        let filling = StageChange(programme: 0, controls: first.controls, frame: 0)
        reports.withLock { reports in
            if let ring = reports.beginChanges(capacity: capacity, filling: filling) {
                handle.pointee.changeRecords = ring
            }
        }
    }

    /// Returns the changes recorded since the last call, in order. Any thread except the audio thread may call it.
    package func drainChanges() -> [StageChange] {
        reports.withLock { $0.drainChanges() }
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
}
