import Desk
import Gate
import Stages

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

    /// Returns whether an option sets the value at an address. An option that sets the mode of an input sets its mode
    /// before a comparison too.
    package func contains(_ address: String) -> Bool {
        let place = StateAddress(address)
        if case .modeBefore(let name) = place { return contains(StateAddress.input(name, "mode").text) }
        if case .input(_, let name) = place, ofAllInputs.contains(name) { return true }
        return addresses.contains(place)
    }
}

extension SessionDocument {
    /// Returns the values to set before the first sound: those of the state without those at the addresses `typed`.
    /// The choices of the stage are set by the recipe.
    package func former(but typed: TypedAddresses) -> SessionValues {
        state.filter { address, _ in
            // The saved states of the plugins already contain plugin values.
            let place = StateAddress(address)
            return place.isKept && place.plugin == nil && Parameter.choice(at: address) == nil
                && !typed.contains(address)
        }
    }
}
