import ArgumentParser
import AudioMix
import Loading
import MotionLogs
import Session
import Stages

/// Look-ahead of an Audio Mix, shared by all commands that make one.
struct MixLatencyOption: ParsableArguments {
    @Option(
        help: "Look-ahead of --mix: live (10 ms) or player (1 s); live in 'run', player elsewhere.")
    var mixLatency: AudioMixLatency?

    /// Returns the look-ahead of the mix (`mixLatency`, else `usual`) and the camera's path, read from the file
    /// `camera`. Both are nil without a mix.
    func mix(
        _ changes: [ParameterChange], camera: String?, usual: AudioMixLatency
    ) throws -> (latency: AudioMixLatency?, camera: CameraPath?) {
        let said = changes.filter { $0.parameter.group == .mix }
        guard said.contains(where: { $0.parameter.id == "mix" }) else {
            if let idle = said.first.map({ "--\($0.parameter.id)" })
                ?? (camera != nil ? "--camera-heading" : mixLatency != nil ? "--mix-latency" : nil)
            {
                // Only a note: the option may be a default for other commands.
                say("note: \(idle) has no effect without --mix")
            }
            return (nil, nil)
        }
        do throws(MotionLogError) {
            return (
                mixLatency ?? usual,
                try camera.map { (path) throws(MotionLogError) in try CameraPath(contentsOf: path) }
            )
        } catch {
            throw SessionError(error)
        }
    }
}

/// Options of an Audio Mix, shared by `process` and `bake`.
struct MixOptions: ParsableArguments {
    @OptionGroup var choices: ParameterOptions<MixRows>
    @OptionGroup var look: MixLatencyOption
    @OptionGroup var places: StemsOption

    /// Applies the options to the settings.
    func apply(to stage: inout StageSettings) throws {
        (stage.programmes.mix, stage.programmes.camera) =
            try look.mix(choices.changes, camera: choices.file("camera-heading"), usual: .player)
        if stage.programmes.mix != nil { stage.take(choices.changes) }
    }
}

/// Output folder of an Audio Mix's stems.
struct StemsOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write speech.wav and ambience.wav into this folder: each with the input's channels, in 32-bit floating point. Their sum is the input.",
            valueName: "folder"),
        completion: .directory)
    var stems: String?
}

extension AudioMixLatency: ExpressibleByArgument {}
