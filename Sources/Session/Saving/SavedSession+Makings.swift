import Glibc
import Soundstage

/// What a stage is built of.
extension SavedSession {
    /// Options that are called otherwise than the address.
    private static let options = ["room-name": "room"]

    /// Turns what the state says of what the stage is built of into options, as it would be said to begin with: what is a
    /// file is then found again like any other.
    mutating func takeMakings() {
        for parameter in Parameter.all where parameter.rebuildsStage {
            guard let value = state.removeValue(forKey: parameter.id) else { continue }
            let (option, word) = (Self.options[parameter.id] ?? parameter.id, value.written.joined(separator: ","))
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
