extension PluginControl {
    /// Whether a value is permitted for the control.
    package func takes(_ value: Float) -> Bool {
        guard value.isFinite, range.contains(value) else { return false }
        switch kind {
        case .continuous, .toggle, .trigger: return true
        case .whole: return value == value.rounded()
        case .choice: return choices.contains { $0.value == value }
        }
    }

    /// Permitted values as text: "-24…24 dB", "whole numbers 1…4", "0 or 1", or the choices.
    package var whatItTakes: String {
        func text(_ value: Float) -> String {
            value == value.rounded() && abs(value) < 1e6 ? "\(Int(value))" : "\(value)"
        }
        switch kind {
        case .choice: return choices.map { "\(text($0.value)) (\($0.label))" }.joined(separator: ", ")
        case .toggle: return "0 or 1"
        case .continuous, .whole, .trigger:
            let bounds = "\(text(range.lowerBound))…\(text(range.upperBound))" + (unit.isEmpty ? "" : " \(unit)")
            return kind == .whole ? "whole numbers \(bounds)" : bounds
        }
    }
}
