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

extension SavedSession {
    /// Returns the state's values without those at the addresses `said`.
    package func former(but said: Set<String>) -> FormerValues {
        let wanted = state.filter { address, _ in
            // The saved states of the plugins already contain plugin values.
            StateAddress.isSettable(address) && !address.hasPrefix("plugin/") && !said.contains(address)
        }
        return FormerValues(values: wanted, modes: modes)
    }

    /// Returns the addresses that options set, by option name: these values take precedence.
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
