/// Fault of the inputs, found in their signals, described for the recordist.
package enum InputFault: Hashable, Sendable, CustomStringConvertible {
    /// One input is silent while other inputs are not.
    case silent(String)
    /// All inputs are silent.
    case allSilent
    /// An input has clipped.
    case clipped(String)
    /// The inputs have another order than the array. Element i names the capsule at input i.
    case swapped([String])
    /// An input has inverted polarity.
    case inverted(String)
    /// The levels of a sound field's components fit another convention. `found` and `said` are names on the command
    /// line.
    case otherScale(found: String, said: String)

    /// Fault and remedy.
    package var description: String {
        switch self {
        case .silent(let name): "no signal comes from \(name): check its cable, its phantom power, its connection"
        case .allSilent: "no signal comes from any input: are the inputs connected, and is the microphone on?"
        case .clipped(let name): "\(name) clips: turn the preamplifier down"
        case .swapped(let order):
            "the capsules seem to be swapped: they arrive as \(order.joined(separator: " ")), or in an order that the "
                + "array's symmetry makes the same; connect each capsule to the input with its name"
        case .inverted(let name): "the polarity of \(name) seems to be inverted"
        case .otherScale(let found, let said):
            "the sound field seems to be \(found), not \(said): "
                + (MicrophoneArray.names.contains(found)
                    ? "if so, add --array \(found)" : "if so, send it as ambix")
        }
    }
}
