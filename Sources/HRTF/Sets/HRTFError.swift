import SOFA

/// Reason why a head-related set cannot be played. Every description names the remedy.
package enum HRTFError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The file itself is at fault.
    case file(SOFAError)
    /// A name that is neither a known set nor a path.
    case unknownSet(name: String, known: [String])
    /// A known set that is not on this machine.
    case notInstalled(name: String, searched: [String], advice: String)
    /// Valid SOFA whose content is no free-field head response.
    case implausible(path: String, reason: String)
    /// Choices that no set can be prepared by.
    case options(reason: String)
    /// The converter between sample rates failed.
    case conversion(from: Double, to: Double, reason: String)
    /// The catalogue of known sets cannot be read.
    case catalogue(path: String, reason: String)
    /// The list of directions to sample is wrong.
    case directions(path: String, line: Int, reason: String)
    /// A result cannot be written.
    case unwritable(path: String, reason: String)

    /// What is wrong, where, and what to do.
    package var description: String {
        switch self {
        case .file(let error): error.description
        case .unknownSet(let name, let known):
            "unknown HRTF set \"\(name)\": expected one of \(known.joined(separator: ", ")), or the path of a .sofa file"
        case .notInstalled(let name, let searched, let advice):
            "HRTF set \"\(name)\" is not on this machine"
                + (searched.isEmpty ? "" : " (looked for \(searched.joined(separator: ", ")))") + "; \(advice)"
        case .implausible(let path, let reason): "\(path): \(reason)"
        case .options(let reason): reason
        case .conversion(let from, let to, let reason):
            "cannot convert responses from \(from) Hz to \(to) Hz: \(reason)"
        case .catalogue(let path, let reason): "\(path): the catalogue of HRTF sets cannot be read: \(reason)"
        case .directions(let path, let line, let reason):
            "\(path)\(line > 0 ? ", line \(line)" : ""): \(reason); expected the header index,az_deg,el_deg,r_m and one direction per line"
        case .unwritable(let path, let reason): "\(path): cannot be written: \(reason)"
        }
    }
}
