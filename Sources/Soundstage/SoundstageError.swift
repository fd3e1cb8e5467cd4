import Gate

/// Fault of a layout, worded for the user.
package enum SoundstageError: Error, Equatable, CustomStringConvertible {
    /// No layout has this name.
    case unknownLayout(String, known: [String])
    /// No named layout has this number of channels, and the file has no channel mask.
    case noLayoutForChannels(Int)
    /// Several named layouts, or a sound field, have this number of channels, and the file has no channel mask.
    case ambiguousChannels(Int, layouts: [String])
    /// Furse-Malham ambisonics is not defined above order 3.
    case noFurseMalham(order: Int)
    /// The layout to be rendered to has no loudspeakers except LFE.
    case noLoudspeakers(layout: String)
    /// The file's channels are not those of the requested layout.
    case fileDoesNotFit(layout: String, expected: [String], found: [String])
    /// The channel mask has a bit that is no loudspeaker position. `channel` counts from 1.
    case unknownPosition(channel: Int, bit: UInt32)
    /// The layout file cannot be read. `reason` is the system's message.
    case unreadable(path: String, reason: String)
    /// The layout file is not valid JSON, or exceeds a limit. `reason` has the position of the fault, unless the file
    /// is too long.
    case notJSON(source: String, reason: String)
    /// A key in the layout file is unknown, or a value is missing or not valid. `key` is the path, such as
    /// `loudspeakers[2].azimuth`.
    case invalid(source: String, key: String, reason: String)

    /// Message with the fault, and a remedy if there is one.
    package var description: String {
        switch self {
        case .unknownLayout(let name, let known):
            "unknown layout '\(name)'\(NearestWord.among(known, for: name).map { ", the nearest is '\($0)'" } ?? ""); "
                + "known layouts: \(known.joined(separator: ", ")), or a JSON file"
        case .noLayoutForChannels(let count):
            "the file has \(count) channels and no channel mask, and no layout has \(count) channels; "
                + "describe the layout in a JSON file and give its path to --layout"
        case .ambiguousChannels(let count, let layouts):
            "the file has \(count) channels and no channel mask; choose the layout: --layout "
                + layouts.joined(separator: " or --layout ")
        case .noFurseMalham(let order):
            "Furse-Malham is defined up to order 3, not for ambi\(order); use --ambisonics sn3d (AmbiX) or n3d"
        case .noLoudspeakers(let layout):
            "layout \(layout) has only LFE channels, so nothing can be rendered to it"
        case .fileDoesNotFit(let layout, let expected, let found):
            "the file has the channels \(found.joined(separator: " ")), layout \(layout) has the channels "
                + expected.joined(separator: " ")
        case .unknownPosition(let channel, let bit):
            "channel \(channel) of the file is at an unknown position (mask bit 0x\(String(bit, radix: 16))); "
                + "name the layout with --layout"
        case .unreadable(let path, let reason): "cannot read layout \(path): \(reason)"
        case .notJSON(let source, let reason): "layout \(source) is not valid JSON: \(reason)"
        case .invalid(let source, let key, let reason): "layout \(source): \(key) \(reason)"
        }
    }
}
