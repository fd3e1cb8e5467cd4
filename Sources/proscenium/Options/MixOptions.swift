import ArgumentParser
import AudioMix
import Session

/// The Audio Mix alone.
enum MixRows: ParameterRows {
    static let rows = choices(.mix)
}

/// Options that say how far an Audio Mix looks ahead, shared by all that make one.
struct MixLatencyOption: ParsableArguments {
    @Option(
        name: .customLong("mix-latency"),
        help: "Look-ahead of --mix: live (10 ms) or player (1 s); live in 'run', player elsewhere.")
    var latency: AudioMixLatency?

    /// The look-ahead of the mix that is asked for, `usual` unless chosen; nil where none is.
    func latency(of changes: [ParameterChange], usual: AudioMixLatency) throws -> AudioMixLatency? {
        let said = changes.filter { $0.parameter.group == .mix }
        guard said.contains(where: { $0.parameter.id == "mix" }) else {
            if let idle = said.first.map({ "--\($0.parameter.id)" }) ?? latency.map({ _ in "--mix-latency" }) {
                // Not refused: it may be a default for other commands.
                say("note: \(idle) says nothing without --mix")
            }
            return nil
        }
        return latency ?? usual
    }
}

/// Options of commands that mix a recorded sound field anew.
struct MixOptions: ParsableArguments {
    @OptionGroup var choices: ParameterOptions<MixRows>
    @OptionGroup var look: MixLatencyOption
    @Option(
        help: ArgumentHelp(
            "Write speech.wav and ambience.wav there: the input's channels each, 32-bit float, together the input.",
            valueName: "folder"))
    var stems: String?

    /// Puts what is asked for into settings.
    func apply(to stage: inout StageSettings) throws {
        stage.programmes.mix = try look.latency(of: choices.changes, usual: .player)
        if stage.programmes.mix != nil { stage.take(choices.changes) }
    }
}

extension AudioMixLatency: ExpressibleByArgument {}
