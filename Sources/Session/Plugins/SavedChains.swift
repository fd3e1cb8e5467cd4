import Foundation

/// What `chains.json` in a folder of saved chains holds.
package struct SavedChains: Codable {
    var version = 1
    var plugins: [Plugin]

    struct Plugin: Codable {
        var name: String
        var place: String
        var identifier: String
        var isBypassed: Bool
        var isIsolated: Bool
        /// Folders of its instances' states, relative.
        var states: [String]
        /// Values of its controls, for people to read: its state's folder has its own.
        var controls: [String: Float]
    }

    /// What a saved folder asks for.
    package static func requests(in folder: String) throws(SessionError) -> [PluginRequest] {
        let path = URL(fileURLWithPath: folder)
        let saved: SavedChains
        do {
            saved = try JSONDecoder().decode(
                SavedChains.self, from: try Data(contentsOf: path.appendingPathComponent("chains.json")))
        } catch {
            throw SessionError(
                .input, "\(folder) holds no chains of plugins that can be read: \(error.localizedDescription)")
        }
        guard saved.version == 1 else {
            throw SessionError(.input, "\(folder) was written by a newer version (\(saved.version)); this one reads 1")
        }
        return saved.plugins.map { plugin in
            var request = PluginRequest(place: plugin.place, identifier: plugin.identifier)
            request.name = plugin.name
            request.isBypassed = plugin.isBypassed
            request.isIsolated = plugin.isIsolated
            request.state = plugin.states.first.map { path.appendingPathComponent($0).path }
            return request
        }
    }
}
