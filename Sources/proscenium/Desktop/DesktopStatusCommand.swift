import ArgumentParser
import AudioIO
import Control
import Desk
import Desktop
import Foundation
import Probes
import SavedSessions
import Session

/// `proscenium desktop status`: shows the sink, the session that plays it, and the headphones.
struct DesktopStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows the sink, its session, and steps of its lag.",
        discussion: "Example: proscenium desktop status --json")

    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        _ = try DesktopRecord.saved()
        let report = await DesktopReport.found
        if json { return try JSONText.print(report) }
        for line in report.lines { print(line) }
    }
}

/// State of the desktop's sink, for people and programs.
struct DesktopReport: Encodable {
    /// Whether `desktop on` has set the sink up.
    var on = false
    /// Kind of the service, and whether it runs.
    var service: String?, serviceRuns: Bool?
    /// Command line that starts the service again.
    var line: String?
    /// Name of the sink; whether it exists in PipeWire, whether it is the default sink, and whether it and the sinks of
    /// further inputs are linked to the session.
    var sink: String?, sinkExists: Bool?, isDefault: Bool?, isHeard: Bool?
    /// Names of the session's further inputs, each with a sink of its own.
    var inputs: [String]?
    /// The programs' streams, and their ways; nil if PipeWire does not answer.
    var streams: [ListedStream]?
    /// Name of the headphones' sink, and whether the ears are connected to it.
    var output: String?, earsConnected: Bool?
    /// Whether the user has named the headphones. If not, PipeWire identified them.
    var byWord: Bool?
    /// State of playback, as in `status`; period (frames) and sample rate (hertz) of the session; steps of the
    /// session's lag.
    var playback: String?, period: Int?, sampleRate: Double?, lagSteps: LagSteps?
    /// Address of the panel, if one is served.
    var panel: String?

    /// Reports that nothing is set up.
    init() {}

    /// The present state. If the record cannot be read, reports that nothing is set up.
    static var found: DesktopReport {
        get async {
            guard let record = try? DesktopRecord.saved() else { return DesktopReport() }
            let graph = try? PipeWireTools.here.graph()
            let text = try? await ControlClient.request(.status, at: .named(DesktopRecord.session))
            let session = text.flatMap { try? SessionStatus(json: $0) }
            // Rules that cannot be read are ignored, as in the session.
            let rules = (try? StreamRules(in: SessionDocument.stateFolder)) ?? StreamRules()
            return DesktopReport(record, rules, runs: DesktopService.runs(record), in: graph, session: session)
        }
    }

    /// The state as a fact for `doctor`; nil if nothing is set up.
    var fact: MachineFacts.Desktop? {
        guard on, let sink, let output, let line else { return nil }
        let isHeard = isHeard == true && earsConnected == true
        return MachineFacts.Desktop(
            state: "'\(sink)' is \(isHeard ? "" : "not ")heard at '\(output)'", isHeard: isHeard, line: line)
    }

    /// Reports what a record, the rules, PipeWire and the session say; nil: no answer.
    init(
        _ record: DesktopRecord, _ rules: StreamRules, runs: Bool, in graph: PipeWireGraph?, session: SessionStatus?
    ) {
        on = true
        streams = graph.map { ListedStream.all(in: $0, by: rules) }
        (service, serviceRuns, line) = (record.service.rawValue, runs, record.line)
        (output, byWord) = (record.output.name, record.output.isByWord)
        if let sinks = try? record.sinks, let sink = sinks.first {
            self.sink = sink.name
            inputs = sinks.dropFirst().map(\.input)
            sinkExists = graph?.sinks.contains { $0.node.name == sink.name }
            isDefault = graph.map { $0.defaultSink == sink.name }
            isHeard = graph.map { graph in sinks.allSatisfy { DesktopWiring.hasInputs($0, in: graph) } }
            earsConnected = graph.map { DesktopWiring.hasEars(to: record.output, in: $0) }
        }
        guard let session else { return }
        (playback, period, sampleRate) = (session.playback.state, session.period, session.sampleRate)
        (lagSteps, panel) = (session.lagSteps, session.panel)
    }

    /// The state as text.
    var lines: [String] {
        guard on else { return ["off"] }
        let kind = service == DesktopRecord.Kind.systemd.rawValue ? "a service of systemd" : "a process of its own"
        var lines = [
            "on: \(kind) \(serviceRuns == true ? "runs" : "DOES NOT RUN; this starts it again: \(line ?? "")")"
        ]
        switch sinkExists {
        case nil: lines.append("sink: PipeWire does not answer")
        case false?: lines.append("sink: '\(sink ?? "")' does not exist yet")
        case true?:
            lines.append(
                "sink: '\(sink ?? "")'\(isDefault == true ? ", the default" : ""), "
                    + (isHeard == true ? "heard by the session" : "NOT HEARD by the session"))
        }
        if let streams {
            let places = streams.map { stream in
                stream.application + (stream.present.map { " at \($0)" } ?? " elsewhere")
            }
            lines.append("streams: \(places.isEmpty ? "none" : places.joined(separator: ", "))")
        }
        let sign = byWord == true ? " (headphones because you named them)" : ""
        lines.append("ears: \(earsConnected == true ? "at" : "NOT CONNECTED to") '\(output ?? "")'\(sign)")
        guard let lag = lagSteps, let period, let sampleRate else { return lines + ["session: does not answer"] }
        lines.append("session: \(playback ?? ""), period \(period) at \(Int((sampleRate).rounded())) Hz")
        lines.append(
            lag.count == 0
                ? "lag: no steps"
                : "lag: \(lag.count) step\(lag.count == 1 ? "" : "s"), \(lag.skippedFrames) frames skipped, \(lag.emptyFrames) without input"
        )
        if let panel { lines.append("panel: \(panel)") }
        return lines
    }
}
