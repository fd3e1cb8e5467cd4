import Desk
import Foundation
import Geometry
import HeadTracking
import IMU
import Loading
import MotionLogs
import Signal
import Synchronization

/// Joins the trackers' streams to the renderer's mailbox: every sample makes a new forecast, and so does every 20 ms of
/// silence where there is a tracker.
///
/// Any thread may call its methods; samples arrive on the inlets' own threads.
package final class HeadPoseFeed: Sendable {
    /// Head and trackers at one moment.
    package struct Look: Sendable {
        /// Head to stage as it is heard now.
        package let pose: Rotation<Head, Stage>
        /// What head tracking does.
        package let status: HeadTrackerStatus
        /// How the head's tracker does; nil if none was asked for.
        package let head: TrackerReport?
        /// How the device's tracker does; nil if none was asked for.
        package let device: TrackerReport?
    }

    private struct State {
        var tracker: HeadTracker
        /// What was published, for the threads that show and send poses.
        var heard = HeardForecasts()
        /// What was published last.
        var newest = PoseForecast.still(.identity)
        var mailboxes: [LatestValue<PoseForecast>] = []
    }

    /// The head's tracker; nil if none was asked for.
    package let head: TrackerInlet?
    /// The device's tracker; nil if none was asked for.
    package let device: TrackerInlet?
    /// The calibration of one of them that is under way, if one is.
    package let calibration: TrackerCalibration
    private let state: SharedState
    /// Where is noted what reaches the tracker; nil: nowhere.
    package let events: MotionBuffer?
    private let ticking = Mutex<Task<Void, Never>?>(nil)

    /// The tracker's state behind a lock that samples, timer and commands share; also the mailbox's only writer.
    private final class SharedState: Sendable {
        private let state: Mutex<State>

        /// How the head is followed.
        var options: HeadTrackerOptions { state.withLock { $0.tracker.options } }

        init(_ options: HeadTrackerOptions) { state = Mutex(State(tracker: HeadTracker(options: options))) }

        func update(_ change: (inout HeadTracker, Double) -> Void) {
            let now = HostClock().now
            state.withLock { state in
                change(&state.tracker, now)
                let forecast = state.tracker.forecast(at: now)
                state.newest = forecast
                state.heard.publish(forecast, at: now, lead: state.tracker.options.playbackLead)
                for mailbox in state.mailboxes { mailbox.store(forecast) }
            }
        }

        func attach(_ mailboxes: [LatestValue<PoseForecast>]) { state.withLock { $0.mailboxes = mailboxes } }

        var biases: (head: GyroscopeBias?, device: GyroscopeBias?) { state.withLock { $0.tracker.biases } }

        /// The pose of the sound that is made now, and when that is heard.
        func next(at now: Double) -> (pose: Quaternion, heardAt: Double) {
            state.withLock { state in
                let heardAt = now + state.tracker.options.playbackLead
                return (state.newest.headToStage(at: heardAt), heardAt)
            }
        }

        /// The pose heard now, and how tracking does.
        func look(at now: Double) -> (Rotation<Head, Stage>, HeadTrackerStatus) {
            state.withLock { (Rotation($0.heard.headToStage(at: now)), $0.tracker.status(at: now)) }
        }
    }

    /// As `init(_:events:clock:complain:)`, noting nothing.
    package convenience init(
        _ settings: TrackingSettings, complain: @escaping @Sendable (String) -> Void
    ) throws(SessionError) {
        try self.init(settings, events: nil, clock: HostClock(), complain: complain)
    }

    /// Trackers in the words of the command line, not yet open. Poses are sent on where the settings say. What reaches
    /// them is noted in `events`, if there is one; `complain` is told when what is remembered of a tracker cannot be
    /// read or written. The movements of a calibration last by `clock`; samples have their times from the host's.
    package init(
        _ settings: TrackingSettings, events: MotionBuffer?, clock: any SessionClock,
        complain: @escaping @Sendable (String) -> Void
    ) throws(SessionError) {
        let broadcast = try Self.broadcast(settings.broadcast)
        let recordings = RecordingTimeline(recordings: [settings.head, settings.device].count(where: Self.isRecording))
        let state = SharedState(settings.options)
        self.state = state
        self.events = events
        calibration = TrackerCalibration(clock: clock)
        self.head = try Self.stream(settings.head, settings.memory, recordings, complain) { bias in
            state.update { tracker, _ in tracker.prime(head: bias) }
        } receive: { sample in
            state.update { tracker, _ in
                events?.note(.head(sample))
                tracker.head(sample)
            }
            if let broadcast { broadcast.send(state.look(at: HostClock().now).0.quaternion) }
        }
        self.device = try Self.stream(settings.device, settings.memory, recordings, complain) { bias in
            state.update { tracker, _ in tracker.prime(device: bias) }
        } receive: { sample in
            state.update { tracker, _ in
                events?.note(.device(sample))
                tracker.device(sample)
            }
        }
    }

    /// Opens the trackers.
    package func start() async throws(SessionError) {
        do throws(TrackerError) {
            try await head?.start()
            try await device?.start()
        } catch {
            await head?.stop()
            throw SessionError(error)
        }
        // Without a tracker nothing becomes stale and nothing turns.
        guard head != nil || device != nil else { return }
        let state = self.state
        ticking.withLock {
            $0 = Task.detached(priority: .high) {
                while !Task.isCancelled {
                    state.update { _, _ in }
                    try? await Task.sleep(for: .milliseconds(20))
                }
            }
        }
    }

    /// Closes the trackers.
    package func stop() async {
        ticking.withLock { $0 }?.cancel()
        calibration.end()
        state.attach([])
        await head?.stop()
        await device?.stop()
        rememberBiases()
    }

    /// Not within `stop`: the frames of asynchronous functions do not keep the alignment of vectors (Swift 6.3).
    private func rememberBiases() {
        let biases = biases
        head?.rememberLearnt(biases.head)
        device?.rememberLearnt(biases.device)
    }

    /// What is known of the gyroscopes' biases.
    package var biases: (head: GyroscopeBias?, device: GyroscopeBias?) { state.biases }

    /// Sends forecasts to another mailbox from now on; nil: to none.
    package func attach(_ mailboxes: [LatestValue<PoseForecast>]) { state.attach(mailboxes) }

    /// Makes where the head points now the front; false if no head has been heard.
    @discardableResult
    package func recentre(_ axes: HeadTracker.Recentring) -> Bool {
        var hasHead = false
        let events = self.events
        state.update { tracker, now in
            events?.note(.recentre(axes, at: now))
            hasHead = tracker.recentre(axes, at: now)
        }
        return hasHead
    }

    /// Takes a tracker's mounting that was found into use and remembers it; what was estimated of it begins anew. In a
    /// recording of motion it stands as a jump of its reference.
    package func remount(_ body: TrackedBody, _ found: MountingCalibration.Result) throws(TrackerError) {
        guard let inlet = body == .head ? head : device else { return }
        let events = self.events
        let bias = Result { () throws(TrackerError) in
            try inlet.remount(found, at: Date().timeIntervalSince1970)
        }
        let own = found.bias?.turned(by: found.mounting.quaternion)
        state.update { tracker, now in
            let jump = TrackerSample(time: now, .discontinuity)
            events?.note(body == .head ? .head(jump) : .device(jump))
            if body == .head { tracker.remount(head: own) } else { tracker.remount(device: own) }
        }
        _ = try bias.get()
    }

    /// How the head is followed.
    package var options: HeadTrackerOptions { state.options }

    /// Changes how the head is followed, eased.
    package func change(_ change: (inout HeadTrackerOptions) -> Void) {
        let events = self.events
        state.update { tracker, now in
            change(&tracker.options)
            let options = tracker.options
            events?.note(.following(options.reference, options.follow, yawPull: options.yawPull, at: now))
        }
    }

    /// Tells the tracker how far ahead of now the sound is heard.
    package func setPlaybackLead(_ seconds: Double) {
        let events = self.events
        state.update { tracker, now in
            if tracker.options.playbackLead != seconds { events?.note(.playbackLead(seconds, at: now)) }
            tracker.options.playbackLead = seconds
        }
    }

    /// Head to stage as the sound is made for that is made now, and the monotonic second at which it is heard; nil
    /// where no head is followed.
    package var next: (pose: Quaternion, heardAt: Double)? { head == nil ? nil : state.next(at: HostClock().now) }

    /// Where the head is heard to point now, and how tracking does.
    package func look() -> Look {
        let now = HostClock().now
        let (pose, status) = state.look(at: now)
        return Look(
            pose: pose, status: status,
            head: head.map {
                TrackerReport(
                    $0, fresh: status.headIsFresh, noise: status.headNoise, inertial: status.headInertial, at: now)
            },
            device: device.map {
                TrackerReport(
                    $0, fresh: status.deviceIsFresh, noise: status.deviceNoise, inertial: status.deviceInertial,
                    at: now)
            })
    }

    private static func broadcast(_ text: String?) throws(SessionError) -> PoseBroadcast? {
        guard let text else { return nil }
        do throws(TrackerError) {
            return try PoseBroadcast(to: PoseBroadcast.Destination(parsing: text))
        } catch {
            throw SessionError(error)
        }
    }

    /// Whether the words name a recording.
    private static func isRecording(_ text: String) -> Bool {
        if case .file? = try? TrackerSpecification.parse(text).source { true } else { false }
    }

    private static func stream(
        _ text: String, _ memory: TrackerMemory, _ recordings: RecordingTimeline,
        _ complain: @escaping @Sendable (String) -> Void,
        prime: @escaping @Sendable (GyroscopeBias) -> Void,
        receive: @escaping @Sendable (TrackerSample) -> Void
    ) throws(SessionError) -> TrackerInlet? {
        do throws(TrackerError) {
            let specification = try TrackerSpecification.parse(text)
            if case .none = specification.source { return nil }
            var transport: (any TrackerTransport)? = JACKMIDITransport(for: specification)
            if case .file(let path) = specification.source {
                transport = FileTransport(path: path, clock: { HostClock().now }, timeline: recordings)
            }
            return TrackerInlet(
                specification, clock: { HostClock().now }, transport: transport,
                memory: memory, recognise: { known in if let bias = known.bias { prime(bias) } },
                complain: complain, receive: receive)
        } catch {
            throw SessionError(error)
        }
    }
}

extension HeadPoseFeed {
    /// What is known of trackers, by the names they are remembered under.
    package typealias Known = [String: TrackerMemory.Entry]

    /// What is known of the trackers now, by the names they are remembered under: how they sit, and what was learnt of
    /// their gyroscopes.
    package var known: Known {
        var known: Known = [:]
        let biases = biases
        for (inlet, bias) in [(head, biases.head), (device, biases.device)] {
            if let inlet, let entry = inlet.known(with: bias) { known[inlet.id] = entry }
        }
        return known
    }
}
