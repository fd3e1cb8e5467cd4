/// Stored properties of values, found by reflection. With them a test of a hand-written list of properties, such as a
/// file format, fails once a property is added that the list lacks.
package enum StoredProperties {
    /// Returns the properties with the same value in both, as paths (`upmix.amounts.centre`), in the order of their
    /// declarations. Structures are compared property by property. All other values (numbers, texts, enumerations,
    /// optionals and collections) are compared as a whole, by their descriptions.
    package static func same<Value>(_ one: Value, _ other: Value) -> [String] {
        var found: [String] = []
        compare(one, other, at: "", &found)
        return found
    }

    /// Returns the names of a value's own stored properties, in the order of their declarations.
    package static func names<Value>(of value: Value) -> [String] {
        Mirror(reflecting: value).children.compactMap(\.label)
    }

    private static func compare(_ one: Any, _ other: Any, at path: String, _ found: inout [String]) {
        let (mirror, second) = (Mirror(reflecting: one), Mirror(reflecting: other))
        guard mirror.displayStyle == .struct, !mirror.children.isEmpty, !(one is any CustomStringConvertible) else {
            if String(reflecting: one) == String(reflecting: other) { found.append(path) }
            return
        }
        for (child, counterpart) in zip(mirror.children, second.children) {
            let label = child.label ?? "?"
            compare(child.value, counterpart.value, at: path.isEmpty ? label : path + "." + label, &found)
        }
    }
}
