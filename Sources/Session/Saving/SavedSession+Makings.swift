import Glibc
import Soundstage

/// What a stage is built of.
extension SavedSession {
    /// Options that are called otherwise than the address.
    private static let options = ["room-name": "room"]

    /// The option that says what a parameter says.
    static func option(of parameter: String) -> String { options[parameter] ?? parameter }

    /// Takes up the scenes that are not heard. What was missed of them on this machine is kept for one that has it: files,
    /// and the scenes of `unbuilt`.
    mutating func take(scenes now: [String: [String: ParameterValue]], unbuilt: Set<String>) {
        let before = scenes
        scenes = before.filter { unbuilt.contains($0.key) }.merging(now) { $1 }
        for (name, values) in now {
            for (id, value) in values where value.written.joined(separator: ",") == Parameter.named(id)?.standard {
                guard let file = used["\(name)/\(id)"], access(file.path, R_OK) != 0 else { continue }
                scenes[name]?[id] = before[name]?[id] ?? value
            }
        }
        used = used.filter { key, _ in
            let parts = key.split(separator: "/")
            return parts.count == 1 || scenes[String(parts[0])] != nil
        }
    }

    /// Turns what the state says of what the stage is built of into options, as it would be said to begin with: what is a
    /// file is then found again like any other.
    mutating func takeMakings() {
        for parameter in Parameter.all where parameter.rebuildsStage {
            guard let value = state.removeValue(forKey: parameter.id) else { continue }
            let (option, word) = (Self.option(of: parameter.id), value.written.joined(separator: ","))
            // What was missed on this machine is kept for one that has it.
            if word == parameter.standard, let file = used[option], access(file.path, R_OK) != 0 { continue }
            if word != parameter.standard {
                options[option] = .text(word)
            } else if options[option] != .text(word) {
                options[option] = nil
                used[option] = nil
            }
        }
    }
}
