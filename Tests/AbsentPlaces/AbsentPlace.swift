import Foundation

/// Paths without a file, for tests of missing files. Each lies in a folder of its own that no test creates, below the
/// folder for temporary files. A fixed absolute path might exist on some machine, and root could write into it.
package enum AbsentPlace {
    /// Returns a path in such a folder, a different one at each call.
    package static func path(_ name: String = "absent") -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("absent-\(UUID().uuidString)/\(name)").path
    }
}
