import Desk
import Gate
import Stages

/// What a session's folder says of its values, which are in force before the first sound.
package struct FormerValues: Sendable {
    /// By address.
    package var values: [String: ParameterValue]
    /// How each input met the listener before a comparison, a word by name.
    package var modes: [String: String]
}

extension SavedSession {
    /// What of the state counts: all that is not said now. `said`: addresses.
    package func former(but said: Set<String>) -> FormerValues {
        let wanted = state.filter { address, _ in
            // What the plugins' own states hold they have already.
            StateAddress.isSettable(address) && !address.hasPrefix("plugin/") && !said.contains(address)
        }
        return FormerValues(values: wanted, modes: modes)
    }

    /// Addresses of what is said by options, by their names: they hold, whatever was set before.
    package static func said(by options: [String: JSONValue]) -> Set<String> {
        var said: Set<String> = []
        for (option, value) in options {
            if let parameter = Parameter.named(option) {
                said.insert(parameter.isOfInputs ? "input/main/" + parameter.id : parameter.id)
            }
            guard option == "input" || option == "effect", case .list(let all) = value else { continue }
            for written in all.compactMap(\.text) {
                let keys = written.split(separator: ",").map { $0.prefix { $0 != "=" } }
                for key in keys.dropFirst() {
                    guard let parameter = Parameter.named(String(key)) else { continue }
                    said.insert("input/\(keys[0])/\(parameter.id)")
                }
            }
        }
        return said
    }
}
