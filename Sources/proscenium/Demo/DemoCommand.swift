import ArgumentParser
import Foundation
import Session
import Stages

/// `proscenium demo`: demonstrates head-tracked rendering on a machine without trackers and headphones.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Shows what Proscenium does, without hardware.",
        subcommands: [Bus.self, Play.self, DemoFollowCommand.self])

    struct Bus: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Simulates a minute in a turning vehicle: without tracking, with a head tracker, and with head and device trackers; writes a page.",
            discussion: """
                Examples:
                  proscenium demo bus --output bus
                  proscenium demo bus --live --head serial:auto --device udp:auto:9870

                Needs jackd, python3 with numpy, scipy and h5py ('make demo' installs them). Starts a private JACK server \
                without a sound card, sends the streams of both trackers as UDP packets, and records the output. A script that \
                shares no code with the renderer then measures the direction of the voice. If the SoundScape Renderer is \
                installed, it is measured too. An HRTF set that is not in the cache is prepared first. If the computer is too \
                busy for real time, or the simulation fails in real time, it runs in stream time instead (--freewheel), with \
                the same packets and a message.

                With --live the trackers are real: put a phone that sends its motion on a swivel chair, a tracker on your head, \
                headphones on, and turn. The command plays on the running JACK server, shows the state of the tracking, and \
                writes a page at the end (Ctrl-C, or --seconds).

                Exit codes: 0 the voice keeps its direction, 1 it does not, 2 wrong usage, 3 faulty environment, for instance \
                a missing program, 130 interrupted.
                """)

        @Option(
            help: ArgumentHelp("Folder for the sound files and the page.", valueName: "dir"), completion: .directory)
        var output = "bus"
        @Option(
            help: ArgumentHelp(
                "Length of the simulation (default: 60; with --live: until Ctrl-C).", valueName: "seconds"))
        var seconds: Double?
        @OptionGroup var former: OverwriteOption
        @Flag(help: "Use real trackers, --head and --device, instead of the simulation.") var live = false
        @Flag(help: "Simulate in stream time, not in real time: the same packets and tracking, without JACK.")
        var freewheel = false
        @Option(
            help: ArgumentHelp("With --live: the headphones' tracker.", valueName: "tracker"),
            completion: .trackers)
        var head: String = "none"
        @Option(
            help: ArgumentHelp(
                "With --live: the tracker of the chair, for instance a phone on it.", valueName: "tracker"),
            completion: .trackers)
        var device: String = "none"
        @Option(
            help: ArgumentHelp(
                "With --live: JACK ports for the left and the right ear (default: physical).", valueName: "ports"),
            completion: .list(["physical"]))
        var connectOut: String?

        func validate() throws {
            let range = live ? 5.0...3600 : 5...60
            if let seconds, !seconds.isFinite || !range.contains(seconds) {
                throw ValidationError(
                    "--seconds must lie between 5 and \(Int(range.upperBound)), not \(seconds)")
            }
            guard !live || head != "none" else {
                throw ValidationError("--live needs a tracker: --head, and --device for the chair; see 'tracker list'")
            }
            guard live || (head == "none" && device == "none" && connectOut == nil) else {
                throw ValidationError("--head, --device and --connect-out are for --live")
            }
            guard !(live && freewheel) else { throw ValidationError("--live and --freewheel exclude each other") }
        }

        /// Returns the arguments of the scripts.
        private func arguments(_ share: String) throws -> [String] {
            let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            guard live else {
                return ["\(share)/Scripts/demo/bus.py", program, folder, "--seconds", String(seconds ?? 60)]
                    + (freewheel ? ["--freewheel"] : [])
            }
            // Option and value in one word, because a value may begin with a dash.
            return [
                "\(share)/Scripts/demo/bus_live.py", program, folder, "--head=\(head)", "--device=\(device)",
                "--connect-out=\(connectOut ?? "physical")",
            ] + (seconds.map { ["--seconds", String($0)] } ?? [])
        }

        /// The folder, in a form that no script parses as an option.
        private var folder: String { output.hasPrefix("-") ? "./" + output : output }

        /// Largest number of files in the folder that are examined before the simulation starts.
        private static let mostPresent = 1000

        /// Files already in the folder. The user is asked whether they may be replaced: the demo replaces dozens.
        private var present: [String] {
            guard let walk = FileManager.default.enumerator(atPath: output) else { return [] }
            return walk.lazy.compactMap { $0 as? String }.prefix(Self.mostPresent).sorted().map { output + "/" + $0 }
        }

        func run() throws {
            guard let share = DataFolders.share else {
                throw Failure(
                    .environment, "the demo's files are not found; run it from the source tree or 'make install'")
            }
            _ = try former.settle(present)
            let python = Process()
            python.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            python.arguments = ["-c", "import numpy, scipy, h5py"]
            python.standardError = FileHandle.nullDevice
            do {
                try python.run()
                python.waitUntilExit()
            } catch {
                throw Failure(.environment, "the demo needs python3: sudo apt install python3")
            }
            guard python.terminationStatus == 0 else {
                throw Failure(
                    .environment,
                    "the demo needs Python modules: sudo apt install python3-numpy python3-scipy python3-h5py")
            }
            guard live || freewheel || FileManager.default.isExecutableFile(atPath: "/usr/bin/jackd") else {
                throw Failure(
                    .environment, "the demo needs a JACK server: sudo apt install jackd2, or use --freewheel")
            }
            let ride = Process()
            ride.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            ride.arguments = try arguments(share)
            // Python must not write into the program's installation.
            ride.environment = ProcessInfo.processInfo.environment.merging(["PYTHONDONTWRITEBYTECODE": "1"]) { $1 }
            // Signalled when the script ends, or when the user requests the end.
            let news = DispatchSemaphore(value: 0)
            ride.terminationHandler = { _ in news.signal() }
            let interrupt = Interrupt(patience: nil)
            interrupt.tell { news.signal() }
            try ride.run()
            news.wait()
            if interrupt.isRequested {
                // After SIGTERM the script ends its child processes, within 1.5 s or later on a busy machine. With
                // --live it then completes its page. If the script is killed, its child processes keep running.
                ride.terminate()
                if ride.isRunning, news.wait(timeout: .now() + (live ? 60 : 10)) == .timedOut {
                    kill(ride.processIdentifier, SIGKILL)
                }
                throw ExitCode(130)
            }
            ride.waitUntilExit()
            guard ride.terminationReason == .exit else {
                throw Failure(.environment, "the demo was ended by signal \(ride.terminationStatus)")
            }
            // The program exits with the script's code: 1 if the voice was heard too far from its place, 3 if a
            // requirement is missing.
            if ride.terminationStatus != 0 { throw ExitCode(ride.terminationStatus) }
        }
    }

    struct Play: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Plays a file to stages as a JACK client, from an exact frame on, and then silence until it is stopped.",
            discussion: "Example: proscenium demo play scene.wav --into proscenium --at 4800000", shouldDisplay: false)

        @Argument(help: "The sound file.") var file: String
        @Option(help: "JACK client names of the stages, separated by commas.") var into: String
        @Option(help: "JACK frame at which the file begins (default: half a second from now).") var at: UInt32?
        @Option(help: "Microseconds to sleep in every cycle, so that in freewheel slower clients keep up.") var pause:
            UInt32 = 0

        @Flag(help: "Begin again whenever the file ends.") var loop = false

        func run() async throws {
            let player = try Player(
                file: file, into: into.split(separator: ",").map(String.init), at: at, pause: pause, loops: loop)
            let interrupt = Interrupt()
            try await player.play(until: { interrupt.isRequested })
        }
    }
}
