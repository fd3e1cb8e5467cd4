import Takes

/// Temporary folder of plugin states. It is removed with the last reference to it, which requests of plugins hold, and
/// at the latest when the process ends.
package final class TemporaryStates: Sendable, Equatable {
    private let folder = TemporaryFolder()
    /// Path of the states, which the user of this object makes.
    package var path: String { folder.path + "/states" }

    /// Makes the parent folder of `path`, not `path` itself. If this fails, as on a full disk, no folder can be made at
    /// `path`.
    package init() { try? folder.make() }

    package static func == (one: TemporaryStates, other: TemporaryStates) -> Bool { one === other }
}
