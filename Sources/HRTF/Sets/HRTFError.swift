import SOFA

/// Reason why a head-related set cannot be played.
package enum HRTFError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The SOFA file is invalid.
    case file(SOFAError)
    /// The name is neither a known set nor a path.
    case unknownSet(name: String, known: [String])
    /// The set is known, but not installed on this machine.
    case notInstalled(name: String, searched: [String], advice: String)
    /// A file of a measured person is missing.
    case missing(person: String, path: String, remedy: String)
    /// The file is valid SOFA but unsuitable as a head-related set, or a given path does not exist.
    case implausible(path: String, reason: String)
    /// The options exclude each other or are out of range.
    case options(reason: String)
    /// The conversion between sample rates failed.
    case conversion(from: Double, to: Double, reason: String)
    /// The catalogue of known sets cannot be read.
    case catalogue(path: String, reason: String)
    /// The table of directions for sampling is invalid.
    case directions(path: String, line: Int, reason: String)
    /// A result cannot be written.
    case unwritable(path: String, reason: String)

    /// The fault and its place, mostly with a remedy.
    package var description: String {
        switch self {
        case .file(let error): error.description
        case .unknownSet(let name, let known):
            "unknown HRTF set \"\(name)\": expected one of \(known.joined(separator: ", ")), or the path of a .sofa file"
        case .notInstalled(let name, let searched, let advice):
            "HRTF set \"\(name)\" is not on this machine"
                + (searched.isEmpty ? "" : " (looked for \(searched.joined(separator: ", ")))") + "; \(advice)"
        case .missing(let person, let path, let remedy):
            "measured person '\(person)': \(path) is missing; \(remedy)"
        case .implausible(let path, let reason): "\(path): \(reason)"
        case .options(let reason): reason
        case .conversion(let from, let to, let reason):
            "cannot convert responses from \(from) Hz to \(to) Hz: \(reason); choose another session rate"
        case .catalogue(let path, let reason): "\(path): the catalogue of HRTF sets cannot be read: \(reason)"
        case .directions(let path, let line, let reason):
            "\(path)\(line > 0 ? ", line \(line)" : ""): \(reason); expected the header index,az_deg,el_deg,r_m and one direction per line"
        case .unwritable(let path, let reason): "\(path): cannot be written: \(reason)"
        }
    }
}
