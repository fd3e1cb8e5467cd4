import Control
import Desk
import Loading
import Measurement
import Soundstage
import Stages
import Sweeps
import Synchronization

/// The panel of a measurement: a page that the measuring program serves over HTTP, with its state as values
/// (`measurement/phase` and others) and the person's requests as commands (`measure/begin` and others). May be used on
/// any thread.
final class MeasurementPanel: Sendable {
    /// Properties that do not change during the measurement.
    struct Plan: Sendable {
        /// JACK client name.
        var client: String
        /// Subject of the measurement.
        var subject: Subject
        /// Path of the folder.
        var folder: String
    }

    /// Subject of a measurement.
    enum Subject: Sendable {
        /// A room and a person's ears, at several directions of the head (looks): name of the layout, and its measured
        /// loudspeakers.
        case person(layout: String, loudspeakers: [Loudspeaker])
        /// Headphones, which the person puts on for each take (a fit).
        case headphones

        /// The subject as a value.
        var name: String {
            switch self {
            case .person: "person"
            case .headphones: "headphones"
            }
        }

        /// Part of a measurement for which a good take is needed.
        var part: String {
            switch self {
            case .person: "look"
            case .headphones: "fit"
            }
        }

        /// Name of the value that identifies a part: the yaw of a look, or the number of a fit.
        var identity: String {
            switch self {
            case .person: "yaw"
            case .headphones: "number"
            }
        }
    }

    private struct Content {
        var progress: PersonProgress
        /// Reason why the measurement failed; nil if it has not.
        var reason: String?
        /// Figures of the result by their names, dB; empty before the end.
        var result: [String: Double] = [:]
    }

    private let desk = SessionDesk()
    private let doors: StreamDoors
    private let plan: Plan
    private let requests: PersonRequests
    private let look: @Sendable () -> HeadLooks.Look?
    private let content: Mutex<Content>
    private let beat = Mutex<SessionBeat?>(nil)

    /// Time between two updates of the values, seconds; and time for the last state to reach the browsers, seconds.
    private static let (interval, farewell) = (0.1, 0.25)

    /// Makes a panel, which is not served yet.
    ///
    /// - Parameters:
    ///   - token: word that clients on other machines must send; nil: only this machine has access.
    ///   - look: the tracker's orientation now; nil without a tracker or while it is silent.
    init(
        _ plan: Plan, _ progress: PersonProgress, requests: PersonRequests, token: String?,
        look: @escaping @Sendable () -> HeadLooks.Look?
    ) {
        (self.plan, self.requests, self.look) = (plan, requests, look)
        content = Mutex(Content(progress: progress))
        doors = StreamDoors(at: desk, access: DoorAccess(token: token))
    }

    /// Serves the page. Returns its URL, without the token.
    func open(at address: ControlAddress) async throws(SessionError) -> String {
        enter()
        desk.commands.serve { [self] in reply(to: $0) }
        desk.telemetry.serve { [self] _ in pose() }
        let opened = try await doors.openWeb(at: address, oscPort: nil, page: .measurement)
        let beat = HostClock().beat(every: Self.interval) { [self] in
            enter()
            return 1
        }
        self.beat.withLock { $0 = beat }
        return opened.page
    }

    /// Takes an event of the measurement.
    func tell(_ event: PersonEvent) {
        let now = HostClock().now
        content.withLock { $0.progress.take(event, at: now) }
    }

    /// Enters a phase after the takes.
    ///
    /// - Parameters:
    ///   - reason: why the measurement failed.
    ///   - result: figures of the result by their names, dB.
    func enter(_ phase: PersonProgress.Phase, because reason: String? = nil, result: [String: Double] = [:]) {
        content.withLock { content in
            content.progress.enter(phase)
            (content.reason, content.result) = (reason, result)
        }
    }

    /// Measures. The panel, if there is one, then shows a failure with its reason, and is closed.
    static func showing<Report>(
        _ panel: MeasurementPanel?, _ measure: () async throws -> Report
    ) async throws -> Report {
        do {
            let report = try await measure()
            await panel?.close()
            return report
        } catch {
            panel?.enter(.ended, because: Failure(error).message)
            await panel?.close()
            throw error
        }
    }

    /// Publishes the last state, and stops serving the page.
    func close() async {
        if let beat = beat.withLock({ $0 }) {
            beat.cancel()
            // The page then shows how the measurement ended, and not that the program is gone. The timer may run once
            // more in between.
            for _ in 0..<2 {
                enter()
                await HostClock().pause(Self.farewell / 2)
            }
        }
        desk.commands.close()
        await doors.close()
    }

    /// Publishes the present values. Called by one thread at a time: by the timer, and before and after it runs.
    private func enter() { desk.state.enter(values(at: HostClock().now)) }

    /// Returns the present telemetry, the head's orientation; nil without a tracker or while it is silent.
    private func pose() -> SessionTelemetry? {
        guard let look = look() else { return nil }
        var sample = SessionTelemetry()
        (sample.yaw, sample.pitch, sample.heardAt) = (look.yaw, look.pitch, HostClock().now)
        return sample
    }

    /// Carries out a command.
    func reply(to command: SessionCommand) -> SessionReply {
        switch command {
        case .measurement(let command): reply(to: command)
        case .quit: reply(to: .stop)
        case .status: .told("measuring: \(content.withLock { $0.progress.phase }.rawValue)")
        default: .refused("this is a measurement, not a session")
        }
    }

    private func reply(to command: SessionCommand.Measurement) -> SessionReply {
        let progress = content.withLock { $0.progress }
        switch command {
        case .begin:
            guard progress.waitsForBegin else {
                let isLooking = progress.phase == .turning
                return .refused(
                    isLooking
                        ? "the take begins by itself once the head has the planned yaw and is still"
                        : "no take waits to begin")
            }
            requests.put(.begin)
        case .again:
            guard let look = progress.repeatable else { return .refused("there is no take to repeat yet") }
            requests.put(.again(look))
        case .skip:
            guard let look = progress.skippable else {
                return .refused("there is no \(plan.subject.part) to leave out now")
            }
            requests.put(.skip(look))
        case .stop:
            guard progress.isStoppable else { return .refused("the measurement is over") }
            requests.put(.stop)
        }
        return .done
    }
}

/// The state as values.
extension MeasurementPanel {
    /// Returns all values at a time, by address.
    func values(at time: Double) -> SessionValues {
        let content = content.withLock { $0 }
        let progress = content.progress
        var values: SessionValues = [
            "client": .word(plan.client), "measurement/subject": .word(plan.subject.name),
            "measurement/folder": .word(plan.folder),
            "measurement/tracker": .word(!progress.hasTracker ? "none" : look() == nil ? "silent" : "heard"),
            "measurement/phase": .word(progress.phase.rawValue),
            "measurement/progress": .number(Self.rounded(progress.share(at: time), to: 0.01)),
            "measurement/left": .number(Self.rounded(progress.left(at: time), to: 1)),
            "measurement/begins": .isOn(progress.waitsForBegin),
        ]
        values["measurement/reason"] = content.reason.map { .word($0) }
        let numbers: [String: Double?] = [
            "wanted": progress.wanted, "repeats": progress.repeatable, "skips": progress.skippable,
            "level": progress.level, "peak": progress.peaks.map { Self.rounded($0.highest, to: 0.1) },
            "margin": progress.margin.map { Self.rounded($0, to: 0.1) },
            "sound": progress.soundShare(at: time).map { Self.rounded($0, to: 0.01) },
        ]
        for (name, number) in numbers { values["measurement/" + name] = number.map { .number($0) } }
        values["measurement/peaks"] = progress.peaks.map { peaks in
            .numbers([peaks.left, peaks.right].map { Self.rounded($0, to: 0.1) })
        }
        for (name, figure) in content.result { values["measurement/" + name] = .number(Self.rounded(figure, to: 0.1)) }
        if case .person(let layout, let loudspeakers) = plan.subject {
            values["measurement/layout"] = .word(layout)
            values["measurement/tolerance"] = .number(PersonPrompt.near)
            for (index, place) in loudspeakers.enumerated() {
                let address = "measurement/loudspeaker/\(index + 1)/"
                values[address + "name"] = .word(place.symbol)
                values[address + "direction"] = .numbers([place.azimuthDegrees, place.elevationDegrees])
            }
        }
        for (index, look) in progress.looks.enumerated() {
            let address = "measurement/\(plan.subject.part)/\(index + 1)/"
            values[address + plan.subject.identity] = .number(look.yaw)
            values[address + "verdict"] = .word(look.verdict.rawValue)
            guard !look.faults.isEmpty else { continue }
            values[address + "faults"] = .word(look.faults.map(\.name).joined(separator: " "))
            values[address + "reason"] = .word(look.faults.map(\.description).joined(separator: "; "))
        }
        return values
    }

    /// Returns a number rounded to multiples of a step.
    private static func rounded(_ number: Double, to step: Double) -> Double {
        // Divided by the inverse: multiples of 0.1 are then written with one digit.
        (number / step).rounded() / (1 / step)
    }
}
