/// Why an equalisation of headphones cannot be had.
package enum HeadphonesError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A line of a text cannot be read.
    case line(Int, of: String, String)
    /// A text has no line of an equaliser in it.
    case notAnEqualiser(String, String)
    /// A file cannot be had.
    case unreadable(String, String)
    /// Responses of a file cannot be what it says they are.
    case implausible(String, String)

    /// What is wrong, and what to do about it.
    package var description: String {
        switch self {
        case .line(let number, let name, let reason): "\(name), line \(number): \(reason)"
        case .notAnEqualiser(let name, let reason), .unreadable(let name, let reason),
            .implausible(let name, let reason):
            "\(name): \(reason)"
        }
    }
}
