import Foundation

/// A folder of its own that goes away with the test.
package final class Scratch: Sendable {
    /// Where it is.
    package let path = FileManager.default.temporaryDirectory.appendingPathComponent("prosc-\(UUID().uuidString)").path

    /// Makes it.
    package init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a name in it.
    package func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Names of the files in it, in order.
    package var contents: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
