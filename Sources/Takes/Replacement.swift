/// Existing files that outputs may replace.
///
/// Except in `anything`, only files that the user has confirmed are included, not files that appear later.
package struct Replacement: Equatable, Sendable {
    /// Replaces no file.
    package static let nothing = Replacement([])
    /// Replaces any file.
    package static let anything = Replacement(paths: nil)

    /// Paths as given by the user; nil permits all.
    private let paths: Set<String>?

    private init(paths: Set<String>?) { self.paths = paths }

    /// Permits the replacement of these files, by their paths as given.
    package init(_ paths: some Sequence<String>) { self.paths = Set(paths) }

    /// Returns whether a file at this path may be replaced.
    package func covers(_ path: String) -> Bool { paths?.contains(path) ?? true }

    /// Returns the outputs whose files exist and may not be replaced, in order. Devices and pipes, which are written
    /// to, and folders are never included.
    package func obstacles(among outputs: [String]) -> [String] {
        outputs.filter { !covers($0) && OutputPlace($0).occupant == .file }
    }

    /// Throws an error if an output's file exists and may not be replaced.
    ///
    /// - Throws: `exists` for the first such output.
    package func check(_ outputs: [String]) throws(TakeError) {
        if let first = obstacles(among: outputs).first { throw .exists(path: first) }
    }
}
