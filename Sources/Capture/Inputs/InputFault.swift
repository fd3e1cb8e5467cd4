/// Something that is wrong with what comes in, found in the sound itself, in words for the recordist.
package enum InputFault: Hashable, Sendable, CustomStringConvertible {
    /// Nothing comes from an input, while others sound.
    case silent(String)
    /// Nothing comes at all.
    case allSilent
    /// An input stands at its limit again and again.
    case clipped(String)
    /// Inputs that stand in another order than the array's: `order[i]` is what arrives at input i.
    case swapped([String])
    /// An input whose polarity is turned over.
    case inverted(String)
    /// A sound field's W is as loud as another convention has it; `found` and `said` as on the command line.
    case otherScale(found: String, said: String)

    /// What is wrong, and what to do.
    package var description: String {
        switch self {
        case .silent(let name): "nothing comes from \(name): look at its cable, its phantom power, its connection"
        case .allSilent: "nothing comes in at all: are the inputs connected, and is the microphone on?"
        case .clipped(let name): "\(name) clips: turn the preamplifier down"
        case .swapped(let order):
            "the capsules seem to be swapped: they come in as \(order.joined(separator: " ")), or in an order that the "
                + "array's symmetry makes the same; each must come into the input of its name"
        case .inverted(let name): "the polarity of \(name) seems to be turned over"
        case .otherScale(let found, let said):
            "the sound field seems to be \(found), not \(said): "
                + (MicrophoneArray.names.contains(found)
                    ? "say --array \(found) if it is" : "have it sent as ambix if it is")
        }
    }
}
