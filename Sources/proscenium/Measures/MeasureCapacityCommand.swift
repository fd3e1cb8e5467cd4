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
        abstract: "Measures how many sources, which period, slice and room this machine can render; suggests settings.",
        discussion: """
            Example: proscenium measure capacity --layout 5.1

            Renders noise through stages of many sizes with a turning head, in process, with the engine of the live session. The \
            thread has real-time priority if that is permitted. The command needs no JACK server, and is silent. A setting fits \
            if 999 of 1000 periods take at most half of their time. The other half is for the server, other clients and late \
            wake-ups, which are measured too.
            """)

    @Option(
        help: ArgumentHelp(
            "Layout of the stage for which settings are suggested: a name (\(StageSettings.layoutNames.joined(separator: ", "))) or a JSON file.",
            valueName: "layout"),
        completion: .layouts)
    var layout = "7.1.4"
    @Option(help: StageNames.hrtfHelp, completion: .sets) var hrtf: String?
    @Option(help: ArgumentHelp("The JACK server's sample rate in hertz, 8000 to 768000.", valueName: "hertz"))
    var rate = SampleRate.studio
    @Option(
        help: ArgumentHelp(
            "Length of the measurement, without some seconds of preparation; a longer one finds rarer delays.",
            valueName: "s"))
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
