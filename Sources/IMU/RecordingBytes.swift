import Foundation

extension Data {
    /// All bytes of a recording; the error names the path and says in plain words why it cannot be read.
    package init(recordingAt path: String) throws(TrackerError) {
        do {
            try self.init(contentsOf: URL(fileURLWithPath: path))
        } catch {
            let isThere = FileManager.default.fileExists(atPath: path)
            throw .unreadable(path: path, reason: isThere ? error.localizedDescription : "there is no such file")
        }
    }
}
