import Foundation

/// Temporary folder of plugin states. Requests of plugins hold references to this object. The folder is removed when
/// the last reference is released.
package final class TemporaryStates: Sendable, Equatable {
    /// Path of the folder. The user of this object creates the folder.
    package let path = FileManager.default.temporaryDirectory.appendingPathComponent("proscenium-\(UUID().uuidString)")
        .path

    /// Chooses an unused path.
    package init() {}

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package static func == (one: TemporaryStates, other: TemporaryStates) -> Bool { one === other }
}
