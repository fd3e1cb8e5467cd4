import Foundation

/// Places where nothing is, for tests of what is missing: each in a folder of its own that no test makes, below the
/// folder for temporary files. An absolute path that no machine is thought to have is made by some machine, and there
/// root writes into it.
package enum AbsentPlace {
    /// A path in such a folder, another one each time.
    package static func path(_ name: String = "absent") -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("absent-\(UUID().uuidString)/\(name)").path
    }
}
