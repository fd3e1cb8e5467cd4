import OSC
import Session

/// The wire format of what can be asked of playback as a whole, and of what happens to it.
///
/// | address | arguments | does |
/// |---|---|---|
/// | `/proscenium/resume` | none or a button | goes on after a lost route, and after interruptions that ended without a resume |
/// | `/proscenium/interrupt/begin` | `s` name, then `s` `pause`, or `s` `duck` `f` dB; then, if wanted, `f` seconds | asks for the stage; after so many seconds without asking again it is given back |
/// | `/proscenium/interrupt/end` | `s` name, then, if wanted, `s` `resume` or `no-resume` | gives the stage back |
///
/// Whoever watches (`/proscenium/watch`) is sent `/proscenium/event ss` when something happens: its kind, and the rest
/// as JSON; see `SessionEvent`.
enum PlaybackMessages {
    static let event = ControlWire.prefix + "event"
    /// The commands there are.
    static let commands = [
        ControlWord("resume", "goes on after the ears' ports were gone, or after an interruption without a resume"),
        ControlWord(
            "interrupt/begin", "ss",
            "a name, then 'pause' or 'duck' and dB (-120 to 0), then, if wanted, seconds (0.1 to 86400)",
            "asks for the stage: a name, `pause`, or `duck` and dB; seconds, if wanted"),
        ControlWord(
            "interrupt/end", "s", "a name, then, if wanted, 'resume' or 'no-resume'",
            "gives the stage back: its name; `resume` or `no-resume`, if wanted"),
    ]
    private static let resume = ControlWire.prefix + "resume"
    private static let begin = ControlWire.prefix + "interrupt/begin"
    private static let end = ControlWire.prefix + "interrupt/end"

    /// The command a message asks for; nil where its address says nothing about playback.
    static func command(from message: OSCMessage) -> Result<SessionCommand, ControlWire.Unusable>? {
        switch message.address {
        case resume: .success(.playback(.resume))
        case begin: beginning(message.arguments).map { .playback($0) }
        case end: ending(message.arguments).map { .playback($0) }
        default: nil
        }
    }

    /// The message that asks for a command.
    static func message(for command: PlaybackCommand) -> OSCMessage {
        switch command {
        case .resume: return OSCMessage(resume)
        case .beginInterruption(let name, let effect, let lease):
            var arguments: [OSCArgument] = [.string(name)]
            switch effect {
            case .pause: arguments.append(.string("pause"))
            case .duck(let level): arguments += [.string("duck"), .double(level)]
            }
            return OSCMessage(begin, arguments + (lease.map { [.double($0)] } ?? []))
        case .endInterruption(let name, let resumes):
            return OSCMessage(end, [.string(name), .string(resumes ? "resume" : "no-resume")])
        }
    }

    /// What whoever watches is told.
    static func message(for event: SessionEvent) -> OSCMessage {
        OSCMessage(Self.event, [.string(event.kind), .string(event.json)])
    }

    private static func beginning(_ arguments: [OSCArgument]) -> Result<PlaybackCommand, ControlWire.Unusable> {
        let refusal = ControlWord.unusable(begin)
        guard arguments.count >= 2, let name = name(arguments[0]), case .string(let word) = arguments[1] else {
            return .failure(refusal)
        }
        let rest = OSCMessage("", Array(arguments.dropFirst(2))).numbers
        guard var numbers = rest else { return .failure(refusal) }
        let effect: InterruptionEffect
        switch word {
        case "pause": effect = .pause
        case "duck":
            guard !numbers.isEmpty, InterruptionEffect.levels.contains(numbers[0]) else { return .failure(refusal) }
            effect = .duck(numbers.removeFirst())
        default: return .failure(refusal)
        }
        guard numbers.count <= 1, numbers.allSatisfy(PlaybackCommand.leases.contains) else { return .failure(refusal) }
        return .success(.beginInterruption(name: name, effect, lease: numbers.first))
    }

    private static func ending(_ arguments: [OSCArgument]) -> Result<PlaybackCommand, ControlWire.Unusable> {
        let refusal = ControlWord.unusable(end)
        guard (1...2).contains(arguments.count), let name = name(arguments[0]) else { return .failure(refusal) }
        guard arguments.count == 2 else { return .success(.endInterruption(name: name, resumes: true)) }
        switch arguments[1] {
        case .string("resume"): return .success(.endInterruption(name: name, resumes: true))
        case .string("no-resume"): return .success(.endInterruption(name: name, resumes: false))
        default: return .failure(refusal)
        }
    }

    private static func name(_ argument: OSCArgument) -> String? {
        guard case .string(let name) = argument, (1...PlaybackCommand.longestName).contains(name.utf8.count) else {
            return nil
        }
        return name
    }
}
