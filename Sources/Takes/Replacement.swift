/// Which of the files that are there already may be replaced by outputs of their names.
///
/// It says what was agreed to, and no more: a file that comes up after the question was answered is none of them.
package struct Replacement: Equatable, Sendable {
    /// None may be.
    package static let nothing = Replacement([])
    /// All may be.
    package static let anything = Replacement(paths: nil)

    /// As they were named; nil: all.
    private let paths: Set<String>?

    private init(paths: Set<String>?) { self.paths = paths }

    /// These may be, as they were named.
    package init(_ paths: some Sequence<String>) { self.paths = Set(paths) }

    /// Whether a file of this name may be replaced.
    package func covers(_ path: String) -> Bool { paths?.contains(path) ?? true }

    /// Those of some outputs that are files already and may not be replaced, in order. Devices and pipes are none: they
    /// are written into.
    package func obstacles(among outputs: [String]) -> [String] {
        outputs.filter { !covers($0) && OutputPlace($0).occupant == .file }
    }

    /// Throws where an output's file is there already and may not be replaced.
    ///
    /// - Throws: `exists` of the first.
    package func check(_ outputs: [String]) throws(TakeError) {
        if let first = obstacles(among: outputs).first { throw .exists(path: first) }
    }
}
