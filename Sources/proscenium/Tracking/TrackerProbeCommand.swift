import ArgumentParser
import Desk
import Foundation
import Geometry
import IMU
import Session
import Synchronization

/// `proscenium tracker probe`: receives a tracker's samples for some seconds and reports its health.
struct TrackerProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Receives from a tracker for some seconds and reports the quality of its data.",
        discussion: """
            Examples:
              proscenium tracker probe serial:auto
              proscenium tracker probe slimevr:0.0.0.0:6969 --seconds 20 --json

            Let the tracker lie still, so that the command can measure its noise, and the bias of a raw IMU. Exit code 3 if no data \
            arrived.
            """)

    @Argument(
        help: ArgumentHelp("The tracker; 'tracker list' shows all kinds.", valueName: "tracker"),
        completion: .trackers)
    var tracker: String
    @Option(help: ArgumentHelp("Length of the measurement.", valueName: "s")) var seconds: Double = 5
    @Flag(help: "One JSON object.") var json = false

    func validate() throws {
        guard seconds.isFinite, (0.1...3600).contains(seconds) else {
            throw ValidationError("--seconds must lie between 0.1 and 3600, not \(seconds)")
        }
    }

    func run() async throws {
        let specification = try TrackerSpecification.parse(tracker)
        guard specification.source != .none else { throw Failure(.usage, "'none' leaves nothing to listen to") }
        let observed = Observed()
        let interrupt = Interrupt()
        let inlet = TrackerInlet(specification, memory: nil) { sample in observed.take(sample) }
        try await inlet.start()
        if !json { say("listening to \(specification) for \(seconds) s; let it lie still") }
        let end = HostClock().now + seconds
        while !interrupt.isRequested, HostClock().now < end { try? await Task.sleep(for: .milliseconds(50)) }
        await inlet.stop()
        if interrupt.isRequested { throw ExitCode(130) }
        try tell(inlet, observed.survey)
    }

    private func tell(_ inlet: TrackerInlet, _ survey: MotionSurvey) throws {
        let (specification, health, id) = (inlet.specification, inlet.health, inlet.id)
        if json { try JSONText.print(Self.object(specification, health, survey, id)) }
        guard health.received > 0 else {
            throw Failure(.environment, json ? "" : Self.silence(specification, health, seconds))
        }
        if !json { for line in Self.lines(specification, health, survey, id) { print(line) } }
    }

    /// The observations so far. A class, because the frames of asynchronous functions do not keep the alignment of
    /// vectors (Swift 6.3).
    private final class Observed: Sendable {
        private let content = Mutex(MotionSurvey())
        func take(_ sample: TrackerSample) { content.withLock { $0.take(sample) } }
        var survey: MotionSurvey { content.withLock { $0 } }
    }

    private static func silence(_ specification: TrackerSpecification, _ health: TrackerHealth, _ seconds: Double)
        -> String
    {
        if case .lost(let reason) = health.connection { return "\(specification) was lost: \(reason)" }
        if health.droppedTotal > 0 {
            return "\(specification) sends data that cannot be decoded (\(health.faultWords)); is the format right?"
        }
        return switch specification.source {
        case .udp(_, let address, let port):
            "no data arrived on \(address) port \(port) in \(seconds) s; does the sender use this address and port"
                + (address == TrackerSpecification.defaultAddress
                    ? ", and is it on this machine (else listen on 0.0.0.0)?" : "?")
        default: "no data arrived from \(specification) in \(seconds) s; is it switched on, and is its speed right?"
        }
    }

    private static func lines(
        _ specification: TrackerSpecification, _ health: TrackerHealth, _ survey: MotionSurvey, _ id: String
    ) -> [String] {
        let timing = health.timing
        func number(_ format: String, _ value: Double?) -> String {
            value.map { String(format: format, $0) } ?? "unknown"
        }
        let clock =
            switch timing.source {
            case .arrival: "arrivals"
            case .rate: "its regular rate"
            case .sender: "its own stamps"
            }
        var lines = [
            ("tracker", id), ("format", health.format ?? "unknown"),
            ("sends", survey.kinds),
            ("rate", String(format: "%.1f Hz, %d samples", health.rate, health.received)),
            ("clock", "by \(clock)" + (timing.resets > 0 ? ", restarts: \(timing.resets)" : "")),
            ("jitter", number("%.2f ms RMS", timing.jitter.map { $0 * 1000 })),
            ("loss", loss(timing)),
            ("skew", number("%+.1f ppm", timing.skewPPM)),
            ("faults", health.faultWords.isEmpty ? "none" : health.faultWords),
        ]
        for complaint in health.complaints { lines.append(("wrong", complaint.words)) }
        if let noise = survey.orientationNoise {
            lines.append(("noise", String(format: "%.3f° RMS per axis, from sample to sample", noise * 180 / .pi)))
        }
        if let noise = survey.rateNoise {
            lines.append(("noise", String(format: "%.3f °/s RMS per axis, from sample to sample", noise * 180 / .pi)))
        }
        if let bias = survey.biasAtRest {
            let words = [bias.x, bias.y, bias.z].map { String(format: "%+.3f", $0 * 180 / .pi) }
            lines.append(("bias", words.joined(separator: " ") + " °/s at rest (x y z)"))
        } else if survey.hasInertial {
            lines.append(("bias", "unknown: the tracker did not lie still"))
        }
        return lines.map { $0.padding(toLength: 9, withPad: " ", startingAt: 0) + $1 }
    }

    private static func loss(_ timing: StreamTiming) -> String {
        guard let lost = timing.lost, let loss = timing.loss else {
            return "unknown: the tracker does not count its messages"
        }
        return String(format: "%.2f %%, %d lost", loss * 100, lost)
    }

    private static func object(
        _ specification: TrackerSpecification, _ health: TrackerHealth, _ survey: MotionSurvey, _ id: String
    ) -> [String: Any] {
        var object: [String: Any] = [
            "tracker": specification.description, "id": id, "received": health.received, "rateHz": health.rate,
            "clock": health.timing.source.rawValue,
            "resets": health.timing.resets, "dropped": health.faultCounts, "orientation": survey.hasOrientation,
            "inertial": survey.hasInertial,
        ]
        object["complaints"] = health.complaints.map { ["name": $0.name, "words": $0.words] }
        object["format"] = health.format
        object["lost"] = health.timing.lost
        object["loss"] = health.timing.loss
        object["jitterMilliseconds"] = health.timing.jitter.map { $0 * 1000 }
        object["skewPPM"] = health.timing.skewPPM
        object["orientationNoiseDegrees"] = survey.orientationNoise.map { $0 * 180 / .pi }
        object["rateNoiseDegreesPerSecond"] = survey.rateNoise.map { $0 * 180 / .pi }
        object["biasDegreesPerSecond"] = survey.biasAtRest.map { [$0.x, $0.y, $0.z].map { $0 * 180 / .pi } }
        return object
    }
}

/// Statistics of a stream's samples: kinds, noise from sample to sample, bias at rest.
struct MotionSurvey: Sendable {
    private(set) var hasOrientation = false
    private(set) var hasInertial = false
    private var pose: Quaternion?
    private var turn: SIMD3<Double>?
    private var turnSquares = 0.0
    private var turnCount = 0
    private var rate: SIMD3<Double>?
    private var rateSquares = 0.0
    private var rateCount = 0
    private var rateMean = SIMD3<Double>(0, 0, 0)
    private var rateSpread = SIMD3<Double>(0, 0, 0)

    /// Adds the next sample to the statistics.
    mutating func take(_ sample: TrackerSample) {
        switch sample.motion {
        case .orientation(let rotation, _):
            hasOrientation = true
            if let pose {
                let step = (pose.conjugate * rotation.quaternion).rotationVector
                if let turn {
                    let change = step - turn
                    turnSquares += (change * change).sum()
                    turnCount += 1
                }
                turn = step
            }
            pose = rotation.quaternion
        case .inertial(let inertial):
            hasInertial = true
            if let rate {
                let change = inertial.rate - rate
                rateSquares += (change * change).sum()
            }
            rate = inertial.rate
            rateCount += 1
            let deviation = inertial.rate - rateMean
            rateMean += deviation / Double(rateCount)
            rateSpread += deviation * (inertial.rate - rateMean)
        case .recentre, .discontinuity: break
        }
    }

    /// The kinds of samples, as text.
    var kinds: String {
        hasOrientation && hasInertial
            ? "orientations and raw measurements" : hasInertial ? "raw measurements" : "orientations"
    }

    /// Noise of the orientations, radians RMS per axis. The second differences have 1 + 4 + 1 times its variance. Nil
    /// for fewer than 10 differences.
    var orientationNoise: Double? { turnCount > 9 ? (turnSquares / Double(18 * turnCount)).squareRoot() : nil }

    /// Noise of the rates, rad/s RMS per axis. The first differences have twice its variance. Nil for fewer than 10
    /// differences.
    var rateNoise: Double? { rateCount > 10 ? (rateSquares / Double(6 * (rateCount - 1))).squareRoot() : nil }

    /// Gyroscope's bias, rad/s; nil for fewer than 11 samples, and unless the rates stayed within 2°/s RMS of their
    /// mean.
    var biasAtRest: SIMD3<Double>? {
        guard rateCount > 10 else { return nil }
        let spread = (rateSpread.sum() / Double(rateCount)).squareRoot()
        return spread < 2 * .pi / 180 ? rateMean : nil
    }
}
