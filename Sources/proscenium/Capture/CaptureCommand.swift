import ArgumentParser
import AudioIO
import Capture
import Control
import Desk
import Foundation
import Geometry
import HRTF
import HeadTracking
import Loading
import Offline
import Session
import Signal
import Soundstage
import Takes
import Trackers

/// `proscenium capture`: records microphone arrays as a sound field and a stereo rendition.
struct CaptureCommand: AsyncParsableCommand, CheckedOptions {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract:
            "Records a microphone array as a sound field (AmbiX) and a stereo rendition, in files that survive an interruption.",
        discussion: """
            Examples:
              proscenium capture --list
              proscenium capture street.wav --array tetrahedral --source 'system:capture_{1,2,3,4}' --device osc:9000
              proscenium capture held.wav --from street.wav --steady world

            Arrays: \(MicrophoneArray.names.joined(separator: ", ")), or a JSON file with the capsules' positions. OUT holds the field (W Y Z X, \
            SN3D), OUT-stereo the rendition, OUT-safety both before the gain, 12 dB lower, in 24 bits. OUT.wav.orientation.csv \
            holds the rotation of the device. While the command records, lines on standard input are requests: \(Command.lines). Ends with Ctrl-C.
            """)

    @Argument(help: "The sound field's file: .wav, .rf64 or .bw64.", completion: .file())
    var output: String?
    @Flag(help: "Show the JACK ports that provide sound, with levels, names and groups.") var list = false
    @OptionGroup(title: "Array") var array: CaptureArrayOptions
    @OptionGroup(title: "Stereo") var stereo: CaptureStereoOptions
    @OptionGroup(title: "Take") var take: CaptureTakeOptions
    @Option(
        help: ArgumentHelp(
            "The device's tracker, whose rotation is recorded. 'tracker list' shows all kinds.", valueName: "tracker"
        ), completion: .trackers)
    var device: String = "none"
    @Option(
        help: ArgumentHelp("Steady this take instead of recording; needs --steady.", valueName: "take"),
        completion: .file())
    var from: String?
    @OptionGroup var steadying: SteadyOption
    @Option(help: ArgumentHelp("JACK client name.", valueName: "name")) var name: String = "proscenium-capture"
    @Option(
        help: ArgumentHelp("Listen for OSC over UDP at this port, from this machine alone.", valueName: "port"))
    var control: String?
    @Flag(help: "No status line.") var quiet = false
    @Flag(help: "With --list: measure once and print JSON.") var json = false

    func check() throws {
        guard (output != nil) != list else {
            throw ValidationError("name a file to record into, or add --list")
        }
        guard (from != nil) == (steadying.steady != nil) else {
            throw ValidationError("--from and --steady belong together")
        }
        guard !json || list else { throw ValidationError("--json is for --list") }
        guard control == nil || (from == nil && !list) else {
            throw ValidationError("--control is for a capture, not for --from or --list")
        }
        guard control == nil || control == "none" || control.flatMap({ ControlAddress($0) }) != nil else {
            throw ValidationError("--control takes [ADDRESS:]PORT or none, not '\(control ?? "")'")
        }
        try take.check()
    }

    func run() async throws {
        do {
            if list { return try CaptureListing(name: name, json: json).run() }
            guard let output else { return }
            if let from, let steady = steadying.steady { return try hold(from, steady, output) }
            try await record(output)
        } catch let error as CaptureError {
            throw Failure(.usage, error.description)
        } catch let error as SoundFileError {
            throw SessionError(error)
        }
    }

    private func hold(_ input: String, _ mode: SteadyMode, _ output: String) throws {
        let (interrupt, progress) = (Interrupt(), Progress("steadying"))
        defer { progress.finish() }
        let replacement = try self.take.former.settle([output], keeping: [input, CaptureNames.orientation(input)])
        let take = try TakeField(input)
        for remark in take.remarks { say("proscenium: \(remark)") }
        let frames = try SteadiedFile.write(
            take.reader, take.format, to: output, mode, replaces: replacement.covers(output),
            progress: progress.until(interrupt))
        say("proscenium: \(frames) frames, fixed to the \(mode.rawValue), are in \(output)")
    }

    /// Checks the names of the take's files before JACK is opened; returns which existing files may be replaced.
    private func check(_ output: String) throws -> Replacement {
        guard let format = SoundFileFormat(path: output), [.wav, .rf64, .bw64].contains(format) else {
            throw SessionError(.unknownFormat(path: output, known: [".wav", ".rf64", ".bw64"]))
        }
        let folder = output.lastIndex(of: "/").map { String(output[...$0]) } ?? "."
        guard access(folder, F_OK) == 0 else { throw SessionError(.noFolder(path: output)) }
        var paths = [output, CaptureNames.stereo(output)]
        if !take.noSafety { paths.append(CaptureNames.safety(output)) }
        // Orientation and markers of a former take would be read as those of this take, even if it has none.
        paths += [CaptureNames.orientation(output), MarkerLabels.path(of: output)]
        let replacement = try take.former.settle(paths)
        do throws(TakeError) {
            for path in paths { try TakeFile.check(path, replaces: replacement.covers(path)) }
        } catch {
            throw SessionError(SoundFileError(error))
        }
        return replacement
    }

    private func record(_ output: String) async throws {
        let settings = try captureSettings(output, replacing: check(output))
        LineOutput.standardError.waitBriefly()
        let names = settings.chain.array.channelNames
        let inputs: JACKCapture
        do throws(JACKError) { inputs = try JACKCapture(name: name, channels: names) } catch {
            throw Failure(.environment, error.description)
        }
        let session = try Self.session(
            settings, inputs, named: name, pattern: array.source, loading: stereo, asSays: { say("proscenium: \($0)") })
        // The yaw is not pulled slowly to the front, which suits a head but not a device.
        var tracking = TrackingSettings(head: device)
        tracking.options.choices.yawPull = 0
        let feed = device == "none" ? nil : try HeadPoseFeed(tracking) { say("proscenium: \($0)") }
        let interrupt = Interrupt(patience: Self.haste)
        try await feed?.start()
        let door: CaptureDoor?
        if let control, control != "none", let address = ControlAddress(control) {
            door = try CaptureDoor(at: address, session)
            say("proscenium: control: OSC on \(address)")
        } else {
            door = nil
        }
        defer { door?.close() }
        let console = try CaptureConsole(session: session, isQuiet: quiet, waits: take.wait) { door?.tell($0) }
        do throws(WorkerError) { try session.start() } catch { throw Failure(.environment, error.description) }
        if !take.wait { session.ask(.begin) }
        let ending = ContinuousClock.now + .seconds(take.seconds ?? 1e9)
        while !interrupt.isRequested, !session.isOver, !console.hasFailed, ContinuousClock.now < ending {
            try? await Task.sleep(for: .milliseconds(10))
            if let feed { Self.note(feed, session) }
            console.show()
        }
        await feed?.stop()
        // After a signal less time is left than the disk may need.
        let patience = interrupt.isRequested ? Self.haste - 1 : TakeFile.patience + 5
        let isDone = session.finish(within: patience)
        console.close()
        guard isDone else {
            let reason = "the take was not written within \(Int(patience)) s"
            throw Failure(.environment, "\(reason); incomplete files end in .part")
        }
        if console.hasFailed { throw Failure(.environment, "") }
        if interrupt.isRequested { throw ExitCode(130) }
        if let loss = console.loss { throw Failure(.environment, "the capture is not complete: \(loss)") }
        if session.isOver { throw Failure(.environment, "") }
    }

    /// Seconds from a signal until the program ends in any case.
    private static let haste = 12.0

    /// Records the pose if it is fresh. In an asynchronous function, vectors would lose their alignment (Swift 6.3).
    private static func note(_ feed: HeadPoseFeed, _ session: CaptureSession) {
        let look = feed.look()
        guard look.status.headIsFresh else { return }
        session.note(deviceToWorld: look.pose.quaternion, at: HostClock().now)
    }

    private static func session(
        _ settings: CaptureEngine.Settings, _ inputs: JACKCapture, named name: String, pattern: String?,
        loading stereo: CaptureStereoOptions, asSays says: (String) -> Void
    ) throws -> CaptureSession {
        var settings = settings
        if stereo.stereo == .binaural {
            let (field, report) = try HRTFCommand.load(
                stereo.hrtf, sampleRate: inputs.sampleRate, options: HRTFOptions())
            says("HRTF set: \(report.name)")
            settings.chain.field = field
        }
        var sources: [String] = []
        if let pattern {
            sources = inputs.sources(named: pattern)
            guard !sources.isEmpty else {
                let error = JACKError.noSuchPort(
                    pattern: pattern, takesSound: false, available: inputs.sources().map(\.port))
                throw Failure(.usage, error.description)
            }
        }
        let engine = try CaptureEngine(settings, inputs: inputs, sources: sources) { design in
            // If no thread starts, the filters are designed here, and the capture waits for them.
            do throws(WorkerError) { try Worker.detach("capture filters", design) } catch { design() }
        }
        let names = settings.chain.array.channelNames
        if !engine.silent.isEmpty {
            says(
                "this array does not resolve \(engine.silent.joined(separator: " and ")): "
                    + "\(engine.silent.count == 1 ? "it is" : "they are") silent in the sound field")
        }
        return CaptureSession(engine, inputs: inputs) { try? JACKCapture(name: name, channels: names) }
    }

    private func captureSettings(
        _ output: String, replacing replacement: Replacement
    ) throws -> CaptureEngine.Settings {
        var chain = CaptureChainSettings(array: try array.microphones)
        chain.calibration = try array.calibration.map { try Calibration(at: $0) }
        chain.orientation = array.orientation
        chain.rendition = stereo.stereo
        chain.gain = take.gain
        chain.highPass = take.highPassHertz
        var settings = CaptureEngine.Settings(chain: chain, take: take.settings(output, replacing: replacement))
        settings.preRoll = take.preRoll
        return settings
    }
}

extension InputOrientation: ExpressibleByArgument {}
extension StereoRendition: ExpressibleByArgument {}
