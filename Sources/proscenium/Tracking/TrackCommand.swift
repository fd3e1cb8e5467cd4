import ArgumentParser
import Desk
import Foundation
import Geometry
import HeadTracking
import IMU
import Session
import Takes
import Trackers

/// `proscenium track`: shows live poses and the state of the trackers, without sound.
struct TrackCommand: AsyncParsableCommand, CheckedOptions {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "Shows live head poses and the state of the trackers, without sound.",
        discussion: """
            Examples:
              proscenium track --head osc:9000
              proscenium track --head osc:0.0.0.0:9000,invert=yaw --device opentrack:4242 --format ndjson
              proscenium track --head serial:auto --broadcast 9000,/SceneRotator/quaternions

            Trackers: \(TrackerSpecification.forms.joined(separator: ", ")); append, each after a comma,
            \(TrackerSpecification.options.joined(separator: ", ")). OSC messages understood:
            \(OrientationProfile.osc.map { "  \($0.address): \($0.remark)" }.joined(separator: "\n"))
            opentrack: \(OrientationProfile.opentrack.remark)

            Angles are those of the head on the stage, in degrees: + left, + up, + right ear down. Each line shows the pose of
            the sound that is heard as the line is written; it was rendered 30 ms earlier. Ends with Ctrl-C. --plot draws the angles at the end, with \
            a point for each line: --rate 100 draws more points.
            """)

    /// Format of the lines.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case ndjson
    }

    @OptionGroup(title: "Head tracking") var tracking: TrackingOptions
    @Option(help: "text: readable lines; ndjson: one JSON object per line.") var format: Format = .text
    @Option(help: ArgumentHelp("Lines per second.", valueName: "hz")) var rate: Double = 10
    @Option(help: ArgumentHelp("End after this time.", valueName: "s")) var seconds: Double?
    @Flag(help: "Take the first pose as the front.") var recentre = false
    @Option(
        help: ArgumentHelp("Draw the angles over time into this SVG file at the end.", valueName: "file"),
        completion: .file())
    var plot: String?
    @OptionGroup var former: OverwriteOption

    func check() throws {
        guard tracking.head != "none" else {
            throw ValidationError("there is nothing to follow; name a tracker with --head")
        }
        guard rate.isFinite, rate > 0, rate <= 1000 else {
            throw ValidationError("--rate must lie between 0 and 1000 lines per second, not \(rate)")
        }
        guard seconds.map({ $0.isFinite && $0 > 0 }) ?? true else {
            throw ValidationError("--seconds must be above 0")
        }
    }

    func run() async throws {
        let replacement = try former.settle([plot])
        let feed = try HeadPoseFeed(tracking.settings) { say("proscenium: \($0)") }
        let interrupt = Interrupt()
        try await feed.start()
        if format == .text { say("listening: head \(tracking.head), device \(tracking.device)") }
        let drawn = await report(feed, until: interrupt)
        await feed.stop()
        if let plot {
            let title = "head \(tracking.head), device \(tracking.device); shaded: the tracker was silent"
            try DrawingFile.write(drawn.drawing(title: title), svg: plot, replacing: replacement)
        }
        if interrupt.isRequested { throw ExitCode(130) }
    }

    /// Returns whether the head's data are fresh, and the line of the present state. Separate from `report`: the frames
    /// of asynchronous functions do not keep the alignment of vectors (Swift 6.3).
    private static func line(
        _ feed: HeadPoseFeed, since start: Double, _ format: Format, _ plot: inout PosePlot?
    ) -> (Bool, String) {
        let look = feed.look()
        let report = TrackReport(look, since: start, at: HostClock().now)
        plot?.add(report.t, [report.yaw, report.pitch, report.roll], isFresh: look.status.headIsFresh)
        return (look.status.headIsFresh, format == .text ? report.text : report.jsonLine)
    }

    /// Writes lines until the command ends. Returns the poses of all lines if a plot is requested, else an empty plot.
    private func report(_ feed: HeadPoseFeed, until interrupt: Interrupt) async -> PosePlot {
        var drawn = plot == nil ? nil : PosePlot()
        let start = HostClock().now
        // On a terminal each line overwrites the last; into a file or pipe each is a new line.
        let (before, after) = format == .text && isatty(1) == 1 ? ("\r", "\u{1B}[K") : ("", "\n")
        var line = 0
        var heardSince: Double?
        var centred = !recentre
        while !interrupt.isRequested, seconds.map({ HostClock().now - start < $0 }) ?? true {
            line += 1
            while case let wait = start + Double(line) / rate - HostClock().now, wait > 0, !interrupt.isRequested {
                try? await Task.sleep(for: .seconds(min(0.05, wait)))
            }
            let (isFresh, text) = Self.line(feed, since: start, format, &drawn)
            if isFresh, heardSince == nil { heardSince = HostClock().now }
            // Before recentring, the fade from the front to the first pose must have ended.
            if !centred, let heardSince, HostClock().now - heardSince > 0.4 {
                feed.recentre(.yaw)
                centred = true
            }
            FileHandle.standardOutput.write(Data((before + text + after).utf8))
        }
        if before == "\r" { FileHandle.standardOutput.write(Data("\n".utf8)) }
        return drawn ?? PosePlot()
    }
}

/// One line of output: the state of head and trackers.
private struct TrackReport: Encodable {
    /// Seconds since the command began.
    let t: Double
    let mode: String
    let yaw: Double
    let pitch: Double
    let roll: Double
    /// Standard deviation of the yaw from gyroscope errors since the last recentring, degrees; 0 for trackers that send
    /// orientations.
    let yawDeviation: Double
    /// Quaternion w, x, y, z from head to stage axes.
    let quaternion: [Double]
    let head: TrackerReport?
    let device: TrackerReport?

    init(_ look: HeadPoseFeed.Look, since start: Double, at now: Double) {
        let pose = look.pose.quaternion
        t = now - start
        mode = look.status.mode.rawValue
        (yaw, pitch, roll) = (pose.yaw * 180 / .pi, pose.pitch * 180 / .pi, pose.roll * 180 / .pi)
        yawDeviation = look.status.yawDeviation * 180 / .pi
        quaternion = [pose.w, pose.x, pose.y, pose.z]
        (head, device) = (look.head, look.device)
    }

    var text: String {
        // Adding 0 turns −0 into 0.
        let shown = [yaw, pitch, roll].map { ($0 * 10).rounded() / 10 + 0 }
        let sure = yawDeviation > 0 ? String(format: " ±%.0f°", yawDeviation) : ""
        let pose = String(
            format: "yaw %+6.1f°%@ pitch %+5.1f° roll %+6.1f°", shown[0], sure, shown[1], shown[2])
        func words(_ name: String, _ stream: TrackerReport) -> String {
            let age = stream.ageSeconds.map { String(format: "%.0f ms", $0 * 1000) } ?? "no data"
            let dropped = stream.dropped.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            let faults =
                (stream.connection.hasPrefix("lost") ? ", \(stream.connection)" : "")
                + (stream.loss.map { $0 > 0.001 ? String(format: ", %.1f %% lost", $0 * 100) : "" } ?? "")
                + (dropped.isEmpty ? "" : ", dropped " + dropped.joined(separator: ", "))
            let wrong = stream.complaints.map { ", wrong: \($0.name)" }.joined()
            return String(format: "%@ %.0f Hz, %@", name, stream.rateHertz, age) + (stream.fresh ? "" : ", STALE")
                + faults + wrong
        }
        let trackers = [("head", head), ("device", device)].compactMap { name, report in
            report.map { words(name, $0) }
        }
        return ([mode.padding(toLength: 10, withPad: " ", startingAt: 0) + pose] + trackers).joined(separator: " | ")
    }
}
