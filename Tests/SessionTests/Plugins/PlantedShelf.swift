import PlantedPlugins
import PluginHost
import Racks

extension PluginShelf {
    /// Returns a shelf with the planted plugins, those that work and those that do harm.
    static func planted() throws -> PluginShelf {
        let backends = [try PlantedPlugins.sound(), try PlantedPlugins.harmful()].map { LV2Backend(searchPath: [$0]) }
        return PluginShelf(backend: backends[0]) { identifier throws(PluginError) in
            for backend in backends {
                for bundle in backend.bundles() {
                    let found = try? backend.describe(bundle: bundle)
                    if let plugin = found?.first(where: { $0.identifier == identifier }) { return plugin }
                }
            }
            throw .unknown(identifier: identifier, near: [])
        }
    }
}
