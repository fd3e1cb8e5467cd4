import Racks
import Stages

/// Address of a value of the state, in its parts.
///
/// The text of an address consists of the words of the command that sets the value, separated by slashes: `mode`,
/// `input/main/level`, `loudspeaker/FL/mute`, `plugin/eq/set/gain`. Facts have addresses of the same form, but no
/// command. All control interfaces and saved files read and write addresses with this type.
package enum StateAddress: Sendable, Hashable {
    /// An address without a slash: a value of the session, such as `mode`, or a fact, such as `layout`.
    case session(String)
    /// A value of an input or effect: the input's name, and the name of the value.
    case input(String, String)
    /// A value of a virtual loudspeaker: the loudspeaker's name, and the last word of the address, such as `mute`.
    case loudspeaker(String, String)
    /// Whether the plugin with this name is bypassed.
    case bypass(plugin: String)
    /// A plugin's control, by the control's symbol, or a plugin's property, by the property's URI.
    case control(plugin: String, symbol: String)
    /// Mode of an input before the comparison in progress, by the input's name. Control interfaces are not told it.
    case modeBefore(String)
    /// Any other address with a slash: a value that no command sets, such as `player/gain`.
    case fact(String)

    /// Whether the binaural output is recorded: on or off. In a `switch` statement this pattern must come before
    /// `.session`.
    package static let record = Self.session("record")

    /// Last word of the address of a mode before a comparison.
    private static let before = "mode-before"

    /// Reads the text of an address.
    package init(_ text: String) {
        // A symbol may be a URI, which may contain slashes.
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        self =
            switch (parts[0], parts.count) {
            case (_, 1): .session(text)
            case (_, 2...) where parts[1].isEmpty: .fact(text)
            case ("input", 3) where parts[2] == Self.before: .modeBefore(parts[1])
            case ("input", 3): .input(parts[1], parts[2])
            case ("loudspeaker", 3): .loudspeaker(parts[1], parts[2])
            case ("plugin", 3) where parts[2] == "bypass": .bypass(plugin: parts[1])
            case ("plugin", 4) where parts[2] == "set" && !parts[3].isEmpty:
                .control(plugin: parts[1], symbol: parts[3])
            default: .fact(text)
            }
    }

    /// Address that a change of a parameter sets. If the change is for all inputs or loudspeakers, it is the
    /// parameter's own address.
    package init(of change: ParameterChange) {
        let (parameter, name) = (change.parameter, change.input)
        self =
            switch name {
            case let name? where parameter.isOfLoudspeakers: .loudspeaker(name, parameter.loudspeakerWord)
            case let name?: .input(name, parameter.id)
            case nil: .session(parameter.id)
            }
    }

    /// Text of the address.
    package var text: String {
        switch self {
        case .session(let text), .fact(let text): text
        case .input(let input, let name): "input/\(input)/\(name)"
        case .modeBefore(let input): "input/\(input)/\(Self.before)"
        case .loudspeaker(let loudspeaker, let word): "loudspeaker/\(loudspeaker)/\(word)"
        case .bypass(let plugin): "plugin/\(plugin)/bypass"
        case .control(let plugin, let symbol): "plugin/\(plugin)/set/\(symbol)"
        }
    }

    /// Name of the plugin that has the value; nil for other values.
    package var plugin: String? {
        switch self {
        case .bypass(let plugin), .control(let plugin, _): plugin
        case .session, .input, .loudspeaker, .modeBefore, .fact: nil
        }
    }

    /// Name of the input, effect or virtual loudspeaker that has the value; nil for other values.
    package var subject: String? {
        switch self {
        case .input(let name, _), .loudspeaker(let name, _), .modeBefore(let name): name
        case .session, .bypass, .control, .fact: nil
        }
    }

    /// Whether the value is a control or a property of a plugin.
    package var isPluginControl: Bool { if case .control = self { true } else { false } }

    /// Parameter at the address; nil if the value is not a parameter: values of plugins, facts, `record`, unknown
    /// names.
    package var parameter: Parameter? {
        switch self {
        case .session(let name), .input(_, let name): .named(name)
        case .loudspeaker(_, let word): .ofLoudspeaker(word)
        case .bypass, .control, .modeBefore, .fact: nil
        }
    }

    /// Whether control interfaces are told the value. Other values are only kept, and undone.
    package var isTold: Bool { if case .modeBefore = self { false } else { true } }

    /// Whether the value is carried over to a later session. False for momentary parameters, facts and `record`.
    /// (`scene` is momentary; session folders save it separately.)
    package var isKept: Bool {
        plugin != nil || !isTold || parameter.map { !$0.traits.contains(.isMomentary) } ?? false
    }

    /// Whether the value is a switch: it accepts `on` and `off`, and also 1 and 0. A level that accepts `off` is not a
    /// switch.
    package var isSwitch: Bool {
        switch self {
        case .record, .bypass: true
        case .session, .input, .loudspeaker:
            parameter.map { $0.words.contains("on") && $0.words.contains("off") } ?? false
        case .control, .modeBefore, .fact: false
        }
    }
}
