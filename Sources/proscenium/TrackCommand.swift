import ArgumentParser
import Foundation
import Geometry
import HeadTracking
import IMU
import Synchronization

/// `proscenium track`: live poses and the trackers' health, without sound.
struct TrackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "Shows live head poses and how the trackers do, without sound.",
        discussion: """
            Examples:
              proscenium track --head osc:9000
              proscenium track --head osc:0.0.0.0:9000,invert=yaw --device opentrack:4242 --format ndjson

              proscenium track --head serial:auto --broadcast 9000,/SceneRotator/quaternions

            Trackers: \(TrackerSpecification.forms.joined(separator: ", ")); append, each after a comma,
            \(TrackerSpecification.options.joined(separator: ", ")). OSC messages understood:
            \(OrientationProfile.osc.map { "  \($0.address): \($0.remark)" }.joined(separator: "\n"))
            opentrack: \(OrientationProfile.opentrack.remark)

            Angles are the head's on the stage, in degrees: + left, + up, + right ear down. Ends with Ctrl-C.
            """)

    /// How lines are written.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case ndjson
    }

    @Option(help: ArgumentHelp("The headphones' tracker.", valueName: "tracker")) var head: String
    @Option(help: ArgumentHelp("The tracker of the device or vehicle.", valueName: "tracker"))
    var device: String = "none"
    @Option(help: "text: a line for people; ndjson: one JSON object per line.") var format: Format = .text
    @Option(help: ArgumentHelp("Lines per second.", valueName: "hz")) var rate: Double = 10
    @Option(help: ArgumentHelp("End after this time.", valueName: "s")) var seconds: Double?
    @Option(
        help: ArgumentHelp(
            "Send the head's pose on as OSC, so that other programs share the tracker; /ypr unless another message is named.",
            valueName: "[address:]port[,message]"))
    var broadcast: String?
    @Flag(help: "Take the first pose as the front.") var recentre = false

    func validate() throws {
        guard head != "none" else { throw ValidationError("--head none leaves nothing to follow") }
        guard rate.isFinite, rate > 0, rate <= 1000 else {
            throw ValidationError("--rate must lie between 0 and 1000 lines per second, not \(rate)")
        }
        guard seconds.map({ $0.isFinite && $0 > 0 }) ?? true else {
            throw ValidationError("--seconds must be above 0")
        }
    }

    func run() async throws {
        let sender = try broadcast.map { try PoseBroadcast(to: PoseBroadcast.Destination(parsing: $0)) }
        let follower = Follower(sender)
        let interrupt = Interrupt()
        let inlets = try await follower.open(head: head, device: device)
        if format == .text { say("listening: head \(head), device \(device)") }
        await report(follower, inlets, until: interrupt)
        await follower.close(inlets)
        if interrupt.isWished { throw ExitCode(130) }
    }

    private func report(_ follower: Follower, _ inlets: [TrackerInlet], until interrupt: Interrupt) async {
        let start = Follower.now()
        // In place on a terminal, line by line into anything else.
        let (before, after) = format == .text && isatty(1) == 1 ? ("\r", "\u{1B}[K") : ("", "\n")
        var line = 0
        var heardSince: Double?
        var centred = !recentre
        while !interrupt.isWished, seconds.map({ Follower.now() - start < $0 }) ?? true {
            line += 1
            var look = follower.look()
            // What happens in silence happens between lines too.
            while case let wait = start + Double(line) / rate - Follower.now(), wait > 0, !interrupt.isWished {
                try? await Task.sleep(for: .seconds(min(0.05, wait)))
                look = follower.look()
            }
            if look.status.headIsFresh, heardSince == nil { heardSince = Follower.now() }
            // Once the way from the front to the first pose has ended.
            if !centred, let heardSince, Follower.now() - heardSince > 0.4 {
                follower.recentre()
                centred = true
            }
            let report = TrackReport(look, inlets, since: start, at: Follower.now())
            let text = format == .text ? report.text : report.json
            FileHandle.standardOutput.write(Data((before + text + after).utf8))
        }
        if before == "\r" { FileHandle.standardOutput.write(Data("\n".utf8)) }
    }
}

/// A head tracker fed by inlets and by a timer; any thread.
private final class Follower: Sendable {
    private let tracker = Mutex(HeadTracker())
    private let broadcast: PoseBroadcast?

    /// Follows nothing yet; poses are sent on to `broadcast`.
    init(_ broadcast: PoseBroadcast?) { self.broadcast = broadcast }

    static func now() -> Double { TrackerInlet.now() }

    /// Opens both trackers: the head's inlet, then the device's unless it is `none`.
    func open(head: String, device: String) async throws(TrackerError) -> [TrackerInlet] {
        let head = TrackerInlet(try .parse(head)) { [self] known in
            if let bias = known.bias { tracker.withLock { $0.prime(head: bias) } }
        } hearing: { [self] sample in
            let pose = tracker.withLock { tracker in
                tracker.head(sample)
                let now = Self.now()
                return tracker.forecast(at: now).headToStage(at: now)
            }
            broadcast?.send(pose)
        }
        let device = TrackerInlet(try .parse(device)) { [self] known in
            if let bias = known.bias { tracker.withLock { $0.prime(device: bias) } }
        } hearing: { [self] sample in
            tracker.withLock { $0.device(sample) }
        }
        try await head.start()
        do {
            try await device.start()
        } catch {
            await head.stop()
            throw error
        }
        if case .none = device.specification.source { return [head] }
        return [head, device]
    }

    /// Closes what was opened, and remembers what was learnt.
    func close(_ inlets: [TrackerInlet]) async {
        for inlet in inlets { await inlet.stop() }
        let biases = tracker.withLock { $0.biases }
        for (inlet, bias) in zip(inlets, [biases.head, biases.device]) { inlet.rememberLearnt(bias) }
    }

    /// Makes where the head looks now the front.
    func recentre() { tracker.withLock { _ = $0.recentre(at: Self.now()) } }

    /// The pose now and what tracking does.
    func look() -> (pose: Quaternion, status: HeadTrackerStatus) {
        let now = Self.now()
        return tracker.withLock { ($0.forecast(at: now).headToStage(at: now), $0.status(at: now)) }
    }
}

/// One line about head and trackers.
private struct TrackReport: Encodable {
    struct Stream: Encodable {
        let tracker: String
        let fresh: Bool
        let rateHz: Double
        let ageSeconds: Double?
        let received: Int
        let dropped: [String: Int]
        let noiseDegrees: Double?
        let format: String?
        let id: String
        let connection: String
        let jitterMilliseconds: Double?
        let loss: Double
        let lost: Int
        let skewPPM: Double?
        let biasDegreesPerSecond: [Double]?
        let atRest: Bool?
        let driftDegreesPerMinute: Double?
    }

    /// Seconds since the command began.
    let t: Double
    let mode: String
    let yaw: Double
    let pitch: Double
    let roll: Double
    /// w, x, y, z: head to stage.
    let quaternion: [Double]
    let head: Stream
    let device: Stream?

    init(
        _ look: (pose: Quaternion, status: HeadTrackerStatus), _ inlets: [TrackerInlet], since start: Double,
        at now: Double
    ) {
        let (pose, status) = look
        t = now - start
        mode = status.mode.rawValue
        (yaw, pitch, roll) = (pose.yaw * 180 / .pi, pose.pitch * 180 / .pi, pose.roll * 180 / .pi)
        quaternion = [pose.w, pose.x, pose.y, pose.z]
        func stream(
            _ inlet: TrackerInlet, _ fresh: Bool, _ noise: Double?, _ inertial: HeadTrackerStatus.Inertial?
        ) -> Stream {
            let health = inlet.health
            let connection =
                switch health.connection {
                case .closed: "closed"
                case .open: "open"
                case .lost(let reason): "lost: \(reason)"
                }
            return Stream(
                tracker: inlet.specification.description, fresh: fresh, rateHz: health.rate,
                ageSeconds: health.age(at: now), received: health.received, dropped: health.faultCounts,
                noiseDegrees: noise.map { $0 * 180 / .pi }, format: health.format, id: inlet.id,
                connection: connection, jitterMilliseconds: health.timing.jitter.map { $0 * 1000 },
                loss: health.timing.loss, lost: health.timing.lost, skewPPM: health.timing.skewPPM,
                biasDegreesPerSecond: inertial.map {
                    [$0.bias.value.x, $0.bias.value.y, $0.bias.value.z].map { $0 * 180 / .pi }
                }, atRest: inertial?.isAtRest, driftDegreesPerMinute: inertial?.headingDrift)
        }
        head = stream(inlets[0], status.headIsFresh, status.headNoise, status.headInertial)
        device =
            inlets.count > 1
            ? stream(inlets[1], status.deviceIsFresh, status.deviceNoise, status.deviceInertial) : nil
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    var text: String {
        // Adding zero makes −0 plain 0.
        let shown = [yaw, pitch, roll].map { ($0 * 10).rounded() / 10 + 0 }
        let pose = String(format: "yaw %+6.1f° pitch %+5.1f° roll %+6.1f°", shown[0], shown[1], shown[2])
        func words(_ name: String, _ stream: Stream) -> String {
            let age = stream.ageSeconds.map { String(format: "%.0f ms", $0 * 1000) } ?? "nothing heard"
            let dropped = stream.dropped.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            let faults =
                (stream.connection.hasPrefix("lost") ? ", \(stream.connection)" : "")
                + (stream.loss > 0.001 ? String(format: ", %.1f %% lost", stream.loss * 100) : "")
                + (dropped.isEmpty ? "" : ", dropped " + dropped.joined(separator: ", "))
            return String(format: "%@ %.0f Hz, %@", name, stream.rateHz, age) + (stream.fresh ? "" : ", STALE") + faults
        }
        let parts = [mode.padding(toLength: 9, withPad: " ", startingAt: 0) + pose, words("head", head)]
        return (parts + (device.map { [words("device", $0)] } ?? [])).joined(separator: " | ")
    }
}
