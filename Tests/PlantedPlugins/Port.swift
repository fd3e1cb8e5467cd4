import Foundation

/// A port in Turtle.
struct Port {
    /// Classes of the port.
    let classes: String
    /// Symbol of the port. The name is the symbol with a capital letter.
    let symbol: String
    /// Further statements, each `predicate object`.
    var lines: [String] = []

    static func audioIn(_ symbol: String = "in") -> Port {
        Port(classes: "lv2:AudioPort , lv2:InputPort", symbol: symbol)
    }
    static func audioOut(_ symbol: String = "out") -> Port {
        Port(classes: "lv2:AudioPort , lv2:OutputPort", symbol: symbol)
    }
    static func control(_ symbol: String, _ range: ClosedRange<Double>, at first: Double, _ lines: String...) -> Port {
        Port(
            classes: "lv2:ControlPort , lv2:InputPort", symbol: symbol,
            lines: [
                "lv2:default \(first)", "lv2:minimum \(range.lowerBound)", "lv2:maximum \(range.upperBound)",
            ] + lines)
    }
    static func reading(_ symbol: String, _ range: ClosedRange<Double>, _ lines: String...) -> Port {
        Port(
            classes: "lv2:ControlPort , lv2:OutputPort", symbol: symbol,
            lines: ["lv2:minimum \(range.lowerBound)", "lv2:maximum \(range.upperBound)"] + lines)
    }

    /// The port as a blank node.
    func turtle(index: Int) -> String {
        let all =
            ["a \(classes)", "lv2:index \(index)", "lv2:symbol \"\(symbol)\"", "lv2:name \"\(symbol.capitalized)\""]
            + lines
        return "[ " + all.joined(separator: " ; ") + " ]"
    }
}
