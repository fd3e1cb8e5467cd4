import OSC
import Session

/// The wire format of what can be asked of inputs.
///
/// `/proscenium/WORD` speaks to all inputs, `/proscenium/input/NAME/WORD` to one.
///
/// | word | arguments | does |
/// |---|---|---|
/// | `level` | `f` dB, −120…40, or `s` `off` | its level |
/// | `place` | `fff` yaw, pitch, roll, degrees | where its front is on the stage |
/// | `width` | `f` degrees, 0…180 | over which angle each of its sources is spread |
/// | `mode` | `s` `off`, `fixed` or `tracked` | how its stage meets the head |
/// | `rendition` | `s` `auto`, `multichannel` or `stereo` | which of two renditions plays |
/// | `upmix` | `s` `on` or `off`, or `fff` centre, width, ambience, 0…1 | whether and how far stereo is opened |
/// | `spatialize` | `s` `none`, `stereo`, `multichannel` or `all` | what is placed on the stage |
/// | `programme-loudness` | `f` LUFS, −70…5 | how loud it is |
/// | `dialnorm` | `i` −31…−1 | how loud its dialogue is |
/// | `loudness-target` | `f` LUFS, −60…0, or `s` `line`, `rf`, `off` | where that is brought to |
/// | `drc` | `s` a profile | how its dynamics are compressed |
/// | `drc-cut`, `drc-boost` | `f` 0…1 | shares of the profile's attenuation and amplification |
enum ProgrammeMessages {
    /// The words there are, for complaints.
    static let words =
        ["level", "place", "width", "mode", "upmix", "spatialize", "rendition", "input/NAME/level"] + DynamicsWord.keys
    private static let one = ControlWire.prefix + "input/"

    /// The command a message asks for; nil where its address says nothing about inputs.
    static func command(from message: OSCMessage) -> Result<SessionCommand, ControlWire.Unusable>? {
        var name: String?
        var word = message.address.dropFirst(ControlWire.prefix.count)
        if message.address.hasPrefix(one) {
            let parts = message.address.dropFirst(one.count).split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            (name, word) = (String(parts[0]), parts[1])
        }
        guard let command = command(String(word), message) else { return nil }
        return command.map { .programme(name, $0) }
    }

    private static func command(
        _ word: String, _ message: OSCMessage
    ) -> Result<ProgrammeCommand, ControlWire.Unusable>? {
        func failure(_ reason: String) -> Result<ProgrammeCommand, ControlWire.Unusable> {
            .failure(ControlWire.Unusable(reason: reason))
        }
        var text: String? { if case .string(let text)? = message.arguments.first { text } else { nil } }
        switch word {
        case "level":
            if text == "off" { return .success(.level(-.infinity)) }
            guard let numbers = message.numbers, numbers.count == 1, (-120...40).contains(numbers[0]) else {
                return failure("level takes a number of dB, -120 to 40, or 'off'")
            }
            return .success(.level(numbers[0]))
        case "place":
            guard let numbers = message.numbers, numbers.count == 3, numbers.allSatisfy((-360...360).contains) else {
                return failure("place takes three angles in degrees: yaw, pitch, roll")
            }
            return .success(.place(yaw: numbers[0], pitch: numbers[1], roll: numbers[2]))
        case "width":
            guard let numbers = message.numbers, numbers.count == 1, (0...180).contains(numbers[0]) else {
                return failure("width takes a number of degrees, 0 to 180")
            }
            return .success(.width(numbers[0]))
        case "mode":
            guard let mode = text.flatMap(ProgrammeSettings.Mode.init) else {
                return failure("mode takes 'off', 'fixed' or 'tracked'")
            }
            return .success(.mode(mode))
        case "upmix":
            if text == "on" || text == "off" { return .success(.upmix(text == "on")) }
            guard let numbers = message.numbers, numbers.count == 3, numbers.allSatisfy((0...1).contains) else {
                return failure("upmix takes 'on', 'off', or three amounts 0 to 1: centre, width, ambience")
            }
            return .success(.opening(centre: numbers[0], width: numbers[1], ambience: numbers[2]))
        case "spatialize":
            guard let what = text.flatMap(ProgrammeSettings.Spatialization.init) else {
                return failure("spatialize takes 'none', 'stereo', 'multichannel' or 'all'")
            }
            return .success(.spatialize(what))
        case "rendition":
            guard let word = text.flatMap(RenditionWord.init) else {
                return failure("rendition takes 'auto', 'multichannel' or 'stereo'")
            }
            return .success(.rendition(word))
        default:
            guard DynamicsWord.keys.contains(word) else { return nil }
            let number = message.numbers?.first.map { Int(exactly: $0).map(String.init) ?? String($0) }
            guard let said = (text ?? number).flatMap({ DynamicsWord(key: word, value: $0) }) else {
                return failure("\(word) takes one value; there are \(DynamicsSettings.keys)")
            }
            return .success(.dynamics(said))
        }
    }

    /// The message that asks for a command, of one input or (nil) of all.
    static func message(for command: ProgrammeCommand, on name: String?) -> OSCMessage {
        let address = name.map { one + $0 + "/" } ?? ControlWire.prefix
        switch command {
        case .level(let decibels):
            return OSCMessage(address + "level", [decibels == -.infinity ? .string("off") : .double(decibels)])
        case .place(let yaw, let pitch, let roll):
            return OSCMessage(address + "place", [.double(yaw), .double(pitch), .double(roll)])
        case .width(let degrees): return OSCMessage(address + "width", [.double(degrees)])
        case .mode(let mode): return OSCMessage(address + "mode", [.string(mode.rawValue)])
        case .rendition(let word): return OSCMessage(address + "rendition", [.string(word.rawValue)])
        case .upmix(let on): return OSCMessage(address + "upmix", [.string(on ? "on" : "off")])
        case .opening(let centre, let width, let ambience):
            return OSCMessage(address + "upmix", [.double(centre), .double(width), .double(ambience)])
        case .spatialize(let what): return OSCMessage(address + "spatialize", [.string(what.rawValue)])
        case .dynamics(let word): return OSCMessage(address + word.key, [.string(word.value)])
        }
    }
}
