import Foundation

/// Temporary folder of plugin states. It is removed with the last reference to it, which requests of plugins hold.
package final class TemporaryStates: Sendable, Equatable {
    /// Path of the folder, which its user makes.
    package let path = FileManager.default.temporaryDirectory.appendingPathComponent("proscenium-\(UUID().uuidString)")
        .path

    /// Chooses an unused path.
    package init() {}

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package static func == (one: TemporaryStates, other: TemporaryStates) -> Bool { one === other }
}
