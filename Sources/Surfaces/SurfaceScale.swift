import Desk
import Stages

/// What an address takes, as far as a control surface must know it: numbers with their ranges and units, words, or
/// nothing where something is only to be done.
package struct SurfaceScale: Sendable, Equatable {
    /// The numbers, in order.
    package var numbers: [Parameter.Number]
    /// The words it takes instead.
    package var words: [String]
    /// Its default; nil: not known.
    package var standard: ParameterValue?

    /// Whether nothing is known of the numbers' range: a control without ends of its own does not move them.
    package private(set) var isUnknown = false
    /// Whether the numbers are heard on a logarithmic scale.
    package var isLogarithmic = false

    /// What an address takes.
    package init(numbers: [Parameter.Number] = [], words: [String] = [], standard: ParameterValue? = nil) {
        self.numbers = numbers
        self.words = words
        self.standard = standard
    }

    /// What a row of the table takes.
    package init(_ parameter: Parameter) {
        self.init(
            numbers: parameter.numbers, words: parameter.words,
            standard: parameter.standard.flatMap { try? parameter.value(of: [$0]) })
    }

    /// Whether it takes nothing: something is done.
    package var isDeed: Bool { numbers.isEmpty && words.isEmpty }

    /// Whether it is on or off.
    package var isSwitch: Bool { words.contains("on") && words.contains("off") }

    /// Whether a value of a switch is on: plugins have 1 and 0 for it.
    package func isOn(_ value: ParameterValue) -> Bool { value.word == "on" || (value.numbers.first ?? 0) > 0 }

    /// Whether a press without a value makes sense: it turns over, goes on to the next word, or does something.
    package var isPressable: Bool { isSwitch || isDeed || numbers.isEmpty && !states.isEmpty }

    /// The words that are states, in order: `toggle` is none.
    package var states: [String] { words.filter { $0 != "toggle" } }

    /// Reads a value as it stands in a map; nil where it is none of the address's.
    package func value(of written: [String]) -> ParameterValue? {
        if written.count == 1, words.contains(written[0]) { return .word(written[0]) }
        guard written.count == numbers.count, !numbers.isEmpty else { return nil }
        var values: [Double] = []
        for (number, text) in zip(numbers, written) {
            guard let value = Double(text), number.range.contains(value), !number.isWhole || value == value.rounded()
            else { return nil }
            values.append(value)
        }
        return .numbers(values)
    }
}

/// What the addresses of a session take: nil for what is none.
package typealias SurfaceTable = @Sendable (String) -> SurfaceScale?

extension SurfaceScale {
    /// What a plugin's control takes that is not known yet: any number, or on and off.
    static let unknown: SurfaceScale = {
        var scale = SurfaceScale(numbers: [PluginControls.Range(-1e12...1e12).number], words: ["on", "off"])
        scale.isUnknown = true
        return scale
    }()

    /// The addresses of the table of parameters: `NAME`, `input/INPUT/NAME`, `loudspeaker/NAME/WORD`, a plugin's
    /// `bypass` and `set/SYMBOL`, `record`, and what can be done without a value. Of a plugin's controls nothing is
    /// known here but that they take a number, which `table(of:)` knows more of.
    package static let table: SurfaceTable = { address in
        if SurfaceDeeds.command(address) != nil { return SurfaceScale() }
        if address == StateAddress.record { return SurfaceScale(words: ["on", "off", "toggle"]) }
        let parts = address.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 3, parts[0] == "plugin", !parts[1].isEmpty, parts[2] == "bypass" {
            return SurfaceScale(words: ["on", "off"])
        }
        if StateAddress.isPluginControl(address) {
            return SurfaceScale.unknown
        }
        if parts.count == 3, parts[0] == "loudspeaker", !parts[1].isEmpty {
            return Parameter.ofLoudspeaker(parts[2]).map { SurfaceScale($0) }
        }
        guard let name = parts.last, let parameter = Parameter.named(name) else { return nil }
        switch parts.count {
        case 1: return SurfaceScale(parameter)
        case 3 where parts[0] == "input" && !parts[1].isEmpty && parameter.isOfInputs: return SurfaceScale(parameter)
        default: return nil
        }
    }

    /// The same at a session, which knows the ranges of the plugins that it has.
    package static func table(of session: PluginControls) -> SurfaceTable {
        { address in session[address].map { SurfaceScale($0) } ?? table(address) }
    }

    /// What a plugin's control takes.
    init(_ control: PluginControls.Range) {
        self.init(numbers: [control.number], words: control.isSwitch ? ["on", "off"] : [])
        isLogarithmic = control.isLogarithmic
    }
}
