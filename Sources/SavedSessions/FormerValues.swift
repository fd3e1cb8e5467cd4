import Desk
import Gate
import Stages

/// Values from a session's folder, set before the first sound.
package struct FormerValues: Sendable {
    /// Values by address.
    package var values: [String: ParameterValue]
    /// Mode of each input before a comparison, by name.
    package var modes: [String: String]
}

/// Addresses that options of the command line set. Their values take precedence over saved ones.
package struct TypedAddresses: Sendable, Equatable, ExpressibleByArrayLiteral {
    private var addresses: Set<StateAddress>
    /// Parameters that an option sets for all inputs.
    private var ofAllInputs: Set<String> = []
    /// Options with the name of a parameter that they do not set: `--mono` places an upmixed mono programme, but the
    /// parameter `mono` belongs to the monitor section.
    private static let namesakes: Set = ["mono"]
    /// Options of the main input that hold for all inputs.
    private static let shared: Set = ["mode"]

    /// Holds the given addresses.
    package init(arrayLiteral addresses: String...) { self.addresses = Set(addresses.map(StateAddress.init)) }

    /// Finds the addresses that options set, including those of the keys of `input` and `effect`. `options`: values by
    /// the present name of the option.
    package init(of options: [String: JSONValue]) {
        addresses = []
        for (option, value) in options {
            if !Self.namesakes.contains(option), let parameter = Parameter.named(option) {
                if Self.shared.contains(parameter.id) { ofAllInputs.insert(parameter.id) }
                addresses.insert(parameter.isOfInputs ? .input("main", parameter.id) : .session(parameter.id))
            }
            guard option == "input" || option == "effect", case .list(let all) = value else { continue }
            for written in all.compactMap(\.text) {
                let keys = written.split(separator: ",").map { $0.prefix { $0 != "=" } }
                for key in keys.dropFirst() {
                    guard let parameter = Parameter.named(String(key)) else { continue }
                    addresses.insert(.input(String(keys[0]), parameter.id))
                }
            }
        }
    }

    /// Returns the modes of inputs, by name, without those that an option sets.
    package func without(_ modes: [String: String]) -> [String: String] {
        modes.filter { !contains(StateAddress.input($0.key, "mode").text) }
    }

    /// Returns whether an option sets the value at an address.
    package func contains(_ address: String) -> Bool {
        let place = StateAddress(address)
        if case .input(_, let name) = place, ofAllInputs.contains(name) { return true }
        return addresses.contains(place)
    }
}

extension SavedSession {
    /// Returns the state's values, and the modes before a comparison, without those at the addresses `typed`.
    package func former(but typed: TypedAddresses) -> FormerValues {
        let wanted = state.filter { address, _ in
            // The saved states of the plugins already contain plugin values.
            let place = StateAddress(address)
            return place.isKept && place.plugin == nil && !typed.contains(address)
        }
        return FormerValues(values: wanted, modes: typed.without(modes))
    }
}
