import Desk
import Foundation
import Geometry
import HeadTracking
import IMU
import Loading
import MotionLogs
import Signal
import Synchronization

/// Computes forecasts of the head's pose from the trackers' samples, and stores them in the renderers' mailboxes: one
/// for every sample, every command, and every transition that is due while no sample arrives.
///
/// Methods may be called on any thread; samples arrive on the trackers' own threads.
package final class HeadPoseFeed: Sendable {
    /// Pose of the head and state of the trackers at one moment.
    package struct Look: Sendable {
        /// Rotation from head to stage that is heard now.
        package let pose: Rotation<Head, Stage>
        /// Status of head tracking.
        package let status: HeadTrackerStatus
        /// Report on the head's tracker; nil without a tracker.
        package let head: TrackerReport?
        /// Report on the device's tracker; nil without a tracker.
        package let device: TrackerReport?
        /// Mode of head tracking; `static` without a head tracker.
        package var mode: String { head == nil ? "static" : status.mode.rawValue }
    }

    private struct State {
        var tracker: HeadTracker
        /// Forecasts published so far, for displays and the broadcast.
        var heard = HeardForecasts()
        /// Newest forecast.
        var newest = PoseForecast.still(.identity)
        var mailboxes: [LatestValue<PoseForecast>] = []
        /// Time of the transition for which the timer waits, seconds.
        var due = Double.infinity
    }

    /// Tracker of the head; nil if there is none.
    package let head: TrackerInlet?
    /// Tracker of the device; nil if there is none.
    package let device: TrackerInlet?
    /// Calibration in progress, if any.
    package let calibration: TrackerCalibration
    private let state: SharedState
    /// Buffer for the motion log; nil without a log.
    package let events: MotionBuffer?

    /// State of head tracking under a lock, which the threads of samples, timer and commands share. Only this class
    /// writes to the mailboxes.
    private final class SharedState: Sendable {
        private let state: Mutex<State>
        private let timer = Mutex<Worker?>(nil)

        /// Options of head tracking.
        var options: HeadTrackerOptions { state.withLock { $0.tracker.options } }

        init(_ options: HeadTrackerOptions) { state = Mutex(State(tracker: HeadTracker(options: options))) }

        func update(_ change: (inout HeadTracker, Double) -> Void) {
            let now = HostClock().now
            let isSooner = state.withLock { state in
                change(&state.tracker, now)
                let forecast = state.tracker.forecast(at: now)
                state.newest = forecast
                state.heard.publish(forecast, at: now, lead: state.tracker.options.playbackLead)
                for mailbox in state.mailboxes { mailbox.store(forecast) }
                defer { state.due = min(state.due, state.tracker.nextTransition) }
                return state.tracker.nextTransition < state.due
            }
            if isSooner { timer.withLock { $0?.wake() } }
        }

        /// Starts the thread that performs the transitions that are due while no sample arrives.
        func startTimer() throws(WorkerError) {
            let worker = Worker(name: "head pose")
            // The worker is stored before the start, so that a sample that arrives meanwhile wakes it.
            timer.withLock { $0 = worker }
            try worker.start { [self] in
                while !$0.isEnding {
                    update { _, _ in }
                    $0.rest(untilDue())
                }
            }
        }

        func stopTimer() { _ = timer.withLock { $0 }?.stop() }

        /// Returns the seconds until the next transition, at least 0.02, and stores the time of the transition in
        /// `due`.
        private func untilDue() -> Double {
            state.withLock { state in
                state.due = state.tracker.nextTransition
                return max(0.02, state.due - HostClock().now + 0.001)
            }
        }

        func attach(_ mailboxes: [LatestValue<PoseForecast>]) { state.withLock { $0.mailboxes = mailboxes } }

        var biases: (head: GyroscopeBias?, device: GyroscopeBias?) { state.withLock { $0.tracker.biases } }

        /// Returns the pose for the sound rendered now, and the time at which that sound is heard.
        func next(at now: Double) -> (pose: Quaternion, heardAt: Double) {
            state.withLock { state in
                let heardAt = now + state.tracker.options.playbackLead
                return (state.newest.headToStage(at: heardAt), heardAt)
            }
        }

        /// Returns the pose heard now, and the status of tracking.
        func look(at now: Double) -> (Rotation<Head, Stage>, HeadTrackerStatus) {
            state.withLock { (Rotation($0.heard.headToStage(at: now)), $0.tracker.status(at: now)) }
        }
    }

    /// Creates a feed as `init(_:events:clock:complain:)`, without a motion log and with the host's clock.
    package convenience init(
        _ settings: TrackingSettings, complain: @escaping @Sendable (String) -> Void
    ) throws(SessionError) {
        try self.init(settings, events: nil, clock: HostClock(), complain: complain)
    }

    /// Creates the trackers of the settings without opening them, and the broadcast of poses if the settings name its
    /// destination. `events`, if set, receives all samples and changes. `complain` is called if stored data of a
    /// tracker cannot be read or written. `clock` times the movements of a calibration; samples have times of the
    /// host's clock. Throws if the settings name an unknown tracker or destination, or if the system refuses a socket.
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
        self.head = try Self.stream(settings.head, settings.memory, recordings, complain) { found in
            state.update { tracker, now in
                guard found.isReplacement else {
                    if let bias = found.bias { tracker.prime(head: bias) }
                    return
                }
                events?.note(.replaced(.head, name: found.id, at: now))
                tracker.replace(head: found.bias)
            }
        } receive: { sample in
            state.update { tracker, _ in
                events?.note(.head(sample))
                tracker.head(sample)
            }
            if let broadcast { broadcast.send(state.look(at: HostClock().now).0.quaternion) }
        }
        self.device = try Self.stream(settings.device, settings.memory, recordings, complain) { found in
            state.update { tracker, now in
                guard found.isReplacement else {
                    if let bias = found.bias { tracker.prime(device: bias) }
                    return
                }
                events?.note(.replaced(.device, name: found.id, at: now))
                tracker.replace(device: found.bias)
            }
        } receive: { sample in
            state.update { tracker, _ in
                events?.note(.device(sample))
                tracker.device(sample)
            }
        }
    }

    /// Opens the trackers and starts the timer.
    package func start() async throws(SessionError) {
        do throws(TrackerError) {
            try await head?.start()
            try await device?.start()
        } catch {
            await head?.stop()
            throw SessionError(error)
        }
        // Without a tracker no pose changes or becomes stale, so no timer is needed.
        guard head != nil || device != nil else { return }
        do throws(WorkerError) { try state.startTimer() } catch {
            await head?.stop()
            await device?.stop()
            throw SessionError(.environment, "head tracking cannot start: \(error)")
        }
    }

    /// Stops the timer, ends a calibration, closes the trackers and stores their learnt biases.
    package func stop() async {
        state.stopTimer()
        calibration.end()
        state.attach([])
        await head?.stop()
        await device?.stop()
        rememberBiases()
    }

    /// Stores the learnt biases. A function apart from `stop`, because the stack frames of asynchronous functions do
    /// not keep the alignment of vectors (Swift 6.3).
    private func rememberBiases() {
        let biases = biases
        head?.rememberLearnt(biases.head)
        device?.rememberLearnt(biases.device)
    }

    /// Estimated biases of the gyroscopes; nil without the estimate of a raw IMU.
    package var biases: (head: GyroscopeBias?, device: GyroscopeBias?) { state.biases }

    /// Sends forecasts to these mailboxes from now on, and to no others.
    package func attach(_ mailboxes: [LatestValue<PoseForecast>]) { state.attach(mailboxes) }

    /// Makes the present direction of the head the front. Returns false, and changes nothing, in the cases that
    /// `HeadTracker.recentre` names.
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

    /// Applies and stores the new mounting of a tracker, if there is one, and restarts the estimates that depend on it.
    /// A motion log receives a discontinuity. Throws if the mounting cannot be stored; it is applied nevertheless.
    package func remount(_ body: TrackedBody, _ found: MountingCalibration.Result) throws(TrackerError) {
        guard let inlet = body == .head ? head : device else { return }
        let events = self.events
        let bias = Result { () throws(TrackerError) in
            try inlet.remount(found, at: Date().timeIntervalSince1970)
        }
        let own = found.bias.map { inlet.ofSamples($0) }
        state.update { tracker, now in
            let jump = TrackerSample(time: now, .discontinuity)
            events?.note(body == .head ? .head(jump) : .device(jump))
            if body == .head { tracker.remount(head: own) } else { tracker.remount(device: own) }
        }
        _ = try bias.get()
    }

    /// Options of head tracking.
    package var options: HeadTrackerOptions { state.options }

    /// Changes the parameters of head tracking; the pose follows smoothly. A motion log receives all of them.
    package func change(_ change: (inout HeadTrackerOptions.Choices) -> Void) {
        let events = self.events
        state.update { tracker, now in
            change(&tracker.options.choices)
            events?.note(.following(tracker.options.choices, at: now))
        }
    }

    /// Sets the seconds from now until sound that is rendered now is heard.
    package func setPlaybackLead(_ seconds: Double) {
        let events = self.events
        state.update { tracker, now in
            if tracker.options.playbackLead != seconds { events?.note(.playbackLead(seconds, at: now)) }
            tracker.options.playbackLead = seconds
        }
    }

    /// Rotation from head to stage for the sound rendered now, and the monotonic time in seconds at which this sound is
    /// heard; nil without a head tracker.
    package var next: (pose: Quaternion, heardAt: Double)? { head == nil ? nil : state.next(at: HostClock().now) }

    /// Pose heard now; nil unless the head's stream is fresh.
    package var fresh: Quaternion? {
        guard head != nil else { return nil }
        let (pose, status) = state.look(at: HostClock().now)
        return status.headIsFresh ? pose.quaternion : nil
    }

    /// Returns the pose heard now, and the status of tracking.
    package func look() -> Look {
        let now = HostClock().now
        let (pose, status) = state.look(at: now)
        return Look(
            pose: pose, status: status,
            head: head.map { TrackerReport($0, on: .head, status, at: now) },
            device: device.map { TrackerReport($0, on: .device, status, at: now) })
    }

    private static func broadcast(_ text: String?) throws(SessionError) -> PoseBroadcast? {
        guard let text else { return nil }
        do throws(TrackerError) {
            return try PoseBroadcast(to: PoseBroadcast.Destination(parsing: text))
        } catch {
            throw SessionError(error)
        }
    }

    /// Returns whether the text of a tracker names a recording.
    private static func isRecording(_ text: String) -> Bool {
        if case .file? = try? TrackerSpecification.parse(text).source { true } else { false }
    }

    private static func stream(
        _ text: String, _ memory: TrackerMemory, _ recordings: RecordingTimeline,
        _ complain: @escaping @Sendable (String) -> Void,
        recognise: @escaping @Sendable (TrackerInlet.Recognition) -> Void,
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
                memory: memory, recognise: recognise,
                complain: complain, receive: receive)
        } catch {
            throw SessionError(error)
        }
    }
}

extension HeadPoseFeed {
    /// Stored data of trackers, by their identifiers.
    package typealias Known = [String: TrackerMemory.Entry]

    /// Present data of the trackers, by their identifiers: mountings, and the estimated biases of their gyroscopes.
    package var known: Known {
        var known: Known = [:]
        let biases = biases
        for (inlet, bias) in [(head, biases.head), (device, biases.device)] {
            if let inlet, let entry = inlet.known(with: bias) { known[inlet.id] = entry }
        }
        return known
    }
}
