import ArgumentParser
import AudioMix
import Session
import Stages

/// Options that say how far an Audio Mix looks ahead, shared by all that make one.
struct MixLatencyOption: ParsableArguments {
    @Option(
        help: "Look-ahead of --mix: live (10 ms) or player (1 s); live in 'run', player elsewhere.")
    var mixLatency: AudioMixLatency?

    /// The mix that is asked for, with a look-ahead that is `usual` unless chosen, and the camera's path from a file;
    /// no latency where none is.
    func mix(
        _ changes: [ParameterChange], camera: String?, usual: AudioMixLatency
    ) throws -> (latency: AudioMixLatency?, camera: CameraPath?) {
        let said = changes.filter { $0.parameter.group == .mix }
        guard said.contains(where: { $0.parameter.id == "mix" }) else {
            if let idle = said.first.map({ "--\($0.parameter.id)" })
                ?? (camera != nil ? "--camera-heading" : mixLatency != nil ? "--mix-latency" : nil)
            {
                // Not refused: it may be a default for other commands.
                say("note: \(idle) says nothing without --mix")
            }
            return (nil, nil)
        }
        return (mixLatency ?? usual, try camera.map { try CameraPath(contentsOf: $0) })
    }
}

/// Options of commands that mix a recorded sound field anew.
struct MixOptions: ParsableArguments {
    @OptionGroup var choices: ParameterOptions<MixRows>
    @OptionGroup var look: MixLatencyOption
    @OptionGroup var places: StemsOption

    /// Puts what is asked for into settings.
    func apply(to stage: inout StageSettings) throws {
        (stage.programmes.mix, stage.programmes.camera) =
            try look.mix(choices.changes, camera: choices.file("camera-heading"), usual: .player)
        if stage.programmes.mix != nil { stage.take(choices.changes) }
    }
}

/// Where the stems of an Audio Mix go.
struct StemsOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write speech.wav and ambience.wav there: the input's channels each, 32-bit float, together the input.",
            valueName: "folder"))
    var stems: String?
}

extension AudioMixLatency: ExpressibleByArgument {}
