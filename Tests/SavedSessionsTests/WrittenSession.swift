import Foundation
import SoundFixtures

extension Scratch {
    /// Returns a new folder in this one, with a `session.json`.
    func session(_ json: String) throws -> String {
        let folder = self(UUID().uuidString)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(json.utf8).write(to: URL(fileURLWithPath: folder + "/session.json"))
        return folder
    }
}
