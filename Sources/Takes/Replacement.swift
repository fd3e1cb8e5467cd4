/// The existing files that outputs may replace.
///
/// Only the files that the user has confirmed: a file that appears later is not among them.
package struct Replacement: Equatable, Sendable {
    /// Replaces no file.
    package static let nothing = Replacement([])
    /// Replaces any file.
    package static let anything = Replacement(paths: nil)

    /// Paths as given by the user; nil: all.
    private let paths: Set<String>?

    private init(paths: Set<String>?) { self.paths = paths }

    /// Replaces these files, with their paths as given.
    package init(_ paths: some Sequence<String>) { self.paths = Set(paths) }

    /// Returns whether a file of this name may be replaced.
    package func covers(_ path: String) -> Bool { paths?.contains(path) ?? true }

    /// Returns the outputs whose files exist and may not be replaced, in order. Devices and pipes are never among them:
    /// they are written to.
    package func obstacles(among outputs: [String]) -> [String] {
        outputs.filter { !covers($0) && OutputPlace($0).occupant == .file }
    }

    /// Throws where an output's file exists and may not be replaced.
    ///
    /// - Throws: `exists` for the first one.
    package func check(_ outputs: [String]) throws(TakeError) {
        if let first = obstacles(among: outputs).first { throw .exists(path: first) }
    }
}
