import Loading
import Rendering
import Signal
import Soundstage

/// A shared effect to which inputs are sent, in the syntax of the command line:
/// `NAME=LAYOUT,INPUT=DB[,INPUT=DB…][,key=value…]`.
package struct EffectSettings: Sendable, Hashable {
    /// Name, layout and parameters of the effect, which is heard on the stage like an input.
    package var input: InputSettings
    /// Sends to the effect, in order.
    package var sends: [Send]

    /// A send from an input to the effect.
    package struct Send: Sendable, Hashable {
        /// Name of the input; `main` is the input of `--layout`.
        package var input: String
        /// Gain of the send after the input's level, dynamics and plugins, dB; −120…40.
        package var level: Double
    }

    /// Syntax, for help texts.
    package static let form = "NAME=LAYOUT,INPUT=DB[,INPUT=DB…][,key=value…]"

    /// Reads `reverb=5.1,main=-12,talk=-18,place=180`.
    ///
    /// - Throws: a usage error with the reason.
    package init(parsing text: String) throws(SessionError) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        input = try InputSettings(
            head: parts[0], else: "an effect is \(Self.form), as reverb=5.1,main=-12; not '\(text)'")
        sends = []
        for part in parts.dropFirst() where try !input.take(part) { try send(part) }
        guard input.interrupts == nil else {
            throw SessionError(
                .usage, "effect '\(input.name)': nothing is connected to an effect; leave out interrupts")
        }
        guard input.upmix == nil else {
            throw SessionError(
                .usage, "effect '\(input.name)': an effect is sent loudspeakers, not stereo to upmix; leave out upmix")
        }
        guard !sends.isEmpty else {
            throw SessionError(.usage, "effect '\(input.name)' is sent nothing; it is written \(Self.form)")
        }
    }

    /// Reads `INPUT=DB`.
    private mutating func send(_ part: String) throws(SessionError) {
        let words = part.split(separator: "=", maxSplits: 1).map(String.init)
        guard words.count == 2, let level = Double(words[1]), (-120...40).contains(level) else {
            throw SessionError(
                .usage,
                "'\(part)' of effect '\(input.name)' is neither INPUT=DB with -120 to 40 dB nor one of the keys "
                    + EffectSettings.keys)
        }
        guard !sends.contains(where: { $0.input == words[0] }) else {
            throw SessionError(.usage, "effect '\(input.name)' is sent '\(words[0])' twice; say it once")
        }
        sends.append(Send(input: words[0], level: level))
    }

    /// Returns the sends in the form that the renderer uses: with the programmes' indices and the conversion matrices.
    ///
    /// - Throws: a usage error for an unknown input, with the names of the existing ones; an error if layouts cannot be
    ///   converted.
    package func sends(from programmes: [Programme], to effect: Programme) throws(SessionError) -> [ProgrammeSend] {
        var made: [ProgrammeSend] = []
        for send in sends {
            guard let index = programmes.firstIndex(where: { $0.name == send.input && $0.canBeSent }) else {
                let known = programmes.filter(\.canBeSent).map(\.name).joined(separator: ", ")
                let there = known.isEmpty ? "no input can be (a sound field cannot)" : "there are \(known)"
                throw SessionError(
                    .usage,
                    "effect '\(input.name)': '\(send.input)' is no input that can be sent to it; \(there). "
                        + "Its keys are \(Self.keys)")
            }
            do throws(SoundstageError) {
                made.append(
                    ProgrammeSend(
                        programme: index, matrix: try programmes[index].layout.conversion(to: effect.layout),
                        gain: Decibels(send.level).amplitude))
            } catch {
                throw SessionError(error)
            }
        }
        return made
    }

    /// Valid keys, for help and error messages.
    package static let keys = InputSettings.commonKeys
}

extension Programme {
    /// Whether the programme can be sent to an effect: it has loudspeakers and is not an effect itself.
    fileprivate var canBeSent: Bool { !isEffect && field == nil }
}
