/// Reason why an equalisation of headphones fails.
package enum HeadphonesError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A line of a text cannot be read.
    case line(Int, of: String, String)
    /// A text is not one of an equaliser, or has too many filters.
    case notAnEqualiser(String, String)
    /// A file cannot be read.
    case unreadable(String, String)
    /// The responses or gains of a file are implausible.
    case implausible(String, String)

    /// The fault and its remedy.
    package var description: String {
        switch self {
        case .line(let number, let name, let reason): "\(name), line \(number): \(reason)"
        case .notAnEqualiser(let name, let reason), .unreadable(let name, let reason),
            .implausible(let name, let reason):
            "\(name): \(reason)"
        }
    }
}
