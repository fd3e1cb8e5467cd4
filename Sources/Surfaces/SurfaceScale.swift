import Desk
import Stages

/// Values that an address (of a parameter or an action of the session) accepts, as far as a control surface needs them:
/// numbers with ranges and units, words, or none for an action.
package struct SurfaceScale: Sendable, Equatable {
    /// Numbers, in order.
    package var numbers: [Parameter.Number]
    /// Words that the address accepts besides numbers.
    package var words: [String]
    /// Default value; nil if it is unknown.
    package var standard: ParameterValue?

    /// Whether the range of the numbers is unknown. Only a control whose binding states both ends can then set them.
    package private(set) var isUnknown = false
    /// Whether faders and knobs have a logarithmic scale for the numbers.
    package var isLogarithmic = false

    /// Creates a scale.
    package init(numbers: [Parameter.Number] = [], words: [String] = [], standard: ParameterValue? = nil) {
        self.numbers = numbers
        self.words = words
        self.standard = standard
    }

    /// Creates the scale of a parameter in the table.
    package init(_ parameter: Parameter) {
        self.init(
            numbers: parameter.numbers, words: parameter.words,
            standard: parameter.standard.flatMap { try? parameter.value(of: [$0]) })
    }

    /// Whether the address is an action, which has no value.
    package var isDeed: Bool { numbers.isEmpty && words.isEmpty }

    /// Whether the address is a switch.
    package var isSwitch: Bool { words.contains("on") && words.contains("off") }

    /// Returns whether a switch is on. Switches of plugins have the values 1 and 0.
    package func isOn(_ value: ParameterValue) -> Bool { value.word == "on" || (value.numbers.first ?? 0) > 0 }

    /// Whether a press without a value has a meaning. It toggles, selects the next word, or executes the action.
    package var isPressable: Bool { isSwitch || isDeed || numbers.isEmpty && !states.isEmpty }

    /// Words that are states, in order. `toggle` is not a state.
    package var states: [String] { words.filter { $0 != "toggle" } }

    /// Reads a value in written form; nil if the address does not accept it.
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

/// Function that returns the scale of a session's address; nil for unknown addresses.
package typealias SurfaceTable = @Sendable (String) -> SurfaceScale?

extension SurfaceScale {
    /// Scale of a plugin control that is not known yet: any number, or on and off.
    static let unknown: SurfaceScale = {
        var scale = SurfaceScale(numbers: [PluginControls.Range(-1e12...1e12).number], words: ["on", "off"])
        scale.isUnknown = true
        return scale
    }()

    /// Scales of the addresses in the table of parameters: `NAME`, `input/INPUT/NAME`, `loudspeaker/NAME/WORD`, a
    /// plugin's `bypass` and `set/SYMBOL`, `record`, and actions without a value. Plugin controls accept any number
    /// here. Their ranges are in `table(of:)`.
    package static let table: SurfaceTable = { address in
        if SurfaceDeeds.command(address) != nil { return SurfaceScale() }
        let place = StateAddress(address)
        return switch place {
        case .record: SurfaceScale(words: ["on", "off", "toggle"])
        case .bypass: SurfaceScale(words: ["on", "off"])
        case .control: .unknown
        case .input where place.parameter?.isOfInputs != true: nil
        case .session, .input, .loudspeaker, .modeBefore, .fact: place.parameter.map { SurfaceScale($0) }
        }
    }

    /// Returns the same table with the ranges of the plugins of a session.
    package static func table(of session: PluginControls) -> SurfaceTable {
        { address in session[address].map { SurfaceScale($0) } ?? table(address) }
    }

    /// Creates the scale of a plugin control.
    init(_ control: PluginControls.Range) {
        self.init(numbers: [control.number], words: control.isSwitch ? ["on", "off"] : [])
        isLogarithmic = control.isLogarithmic
    }
}
