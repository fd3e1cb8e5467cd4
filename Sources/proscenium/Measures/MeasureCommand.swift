import ArgumentParser
import Foundation
import Measurement
import Probes
import Session

/// `proscenium measure`: measures rooms, ears and headphones, what this machine can render, and the latency from motion
/// to sound.
struct MeasureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Measures your room, ears and headphones, and this machine.",
        subcommands: [
            MeasureMeCommand.self, MeasureHeadphonesCommand.self, MeasureSweepsCommand.self,
            MeasureResponsesCommand.self,
            MeasureCapacityCommand.self, Latency.self,
        ])

    struct Latency: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Measures the latency from motion to sound: turns the head by UDP packets, and finds the change in the output.",
            discussion: """
                Example: proscenium measure latency --connect-out physical

                Runs a stage of one loudspeaker on the JACK server that is running, and plays soft noise. Every half second a \
                tracker's packet to a real UDP socket turns the head by 3 degrees. In the output's samples, the command finds \
                the first one that differs, and the one at which half of the change is reached. It prints percentiles over all \
                steps, split into transport, period and slice, tracking, and the playback latency that JACK reports. The noise \
                is inaudible unless the ears are connected to ports.
                """)

        @Option(help: ArgumentHelp("Number of steps; each takes half a second.", valueName: "count"))
        var steps: Int = 100
        @Option(help: ArgumentHelp("Frames per slice: 64, 128 or 256.", valueName: "frames")) var slice: Int = 64
        @Option(
            help: ArgumentHelp(
                "Connect the ears, so that these ports' latency counts: 'physical', or two ports.", valueName: "ports"),
            completion: .list(["physical"]))
        var connectOut: String?
        @Flag(help: "Print everything, every step included, as JSON.") var json = false

        func validate() throws {
            guard (2...10_000).contains(steps) else {
                throw ValidationError("--steps must lie between 2 and 10000, not \(steps)")
            }
            guard [64, 128, 256].contains(slice) else {
                throw ValidationError("--slice must be 64, 128 or 256, not \(slice)")
            }
        }

        func run() async throws {
            try await report("measure", json: json, isAnswer: true) { progress in
                let latency = try await LatencyProbe.measure(
                    steps: steps, slice: slice, connectOut: connectOut, progress: progress)
                guard latency.found > 0 else {
                    throw Failure(
                        .environment,
                        "none of the \(latency.sent) steps was found in the output; is the server running?")
                }
                guard latency.found > latency.disturbed else {
                    throw Failure(
                        .environment,
                        "this computer was too busy: during each of the \(latency.found) steps that were found, the server "
                            + "skipped periods or the sender was delayed; try again, or use a longer period")
                }
                return latency
            }
        }
    }
}
