import ArgumentParser
import Foundation
import Measurement
import Probes
import Session
import Signal
import Stages

/// `proscenium measure capacity`: measures how much this machine can render in real time.
struct MeasureCapacityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capacity",
        abstract: "How many sources, which period, slice and room this machine keeps up with; what to set.",
        discussion: """
            Example: proscenium measure capacity --layout 5.1

            Renders noise through stages of many sizes with a turning head, in process, by the engine that plays live, on a \
            thread with real-time priority where that is permitted; no JACK server is needed and nothing is heard. A setting \
            fits if 999 of 1000 periods take at most half of their time: the other half is the server's, other clients', and \
            that of waking up late, which is measured too.
            """)

    @Option(
        help: ArgumentHelp(
            "The stage to suggest settings for: a name (\(StageSettings.layoutNames.joined(separator: ", "))) or a JSON file.",
            valueName: "layout"))
    var layout = "7.1.4"
    @Option(help: StageNames.hrtfHelp) var hrtf: String?
    @Option(help: ArgumentHelp("The JACK server's sample rate in hertz, 8000 to 768000.", valueName: "hertz"))
    var rate = SampleRate.studio
    @Option(
        help: ArgumentHelp(
            "How long to measure, without some seconds of preparation; longer finds rarer delays.", valueName: "s"))
    var seconds: Double = 16
    @Flag(help: "Print everything as JSON.") var json = false

    func validate() throws {
        guard (1...3600).contains(seconds) else {
            throw ValidationError("--seconds must lie between 1 and 3600, not \(seconds)")
        }
    }

    func run() async throws {
        try await report("measure", json: json, isAnswer: true) { progress in
            try await CapacityProbe.measure(
                StageSettings(layout: layout, hrtf: hrtf), sampleRate: rate.hertz, seconds: seconds, progress: progress)
        }
    }
}
