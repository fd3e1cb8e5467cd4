import Foundation

/// A temporary folder that is removed with its last reference.
package final class Scratch: Sendable {
    /// Path of the folder.
    package let path = FileManager.default.temporaryDirectory.appendingPathComponent("prosc-\(UUID().uuidString)").path

    /// Creates the folder.
    package init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of a name in the folder.
    package func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Names of the files in the folder, sorted.
    package var contents: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
