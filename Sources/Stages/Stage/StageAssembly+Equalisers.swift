import Inserts
import PluginHost
import Racks

extension StageAssembly {
    /// Warning where the ears' plugins include an equaliser in addition to that of the headphones; nil otherwise.
    package var twoEqualisers: String? {
        guard headphones != nil else { return nil }
        let found = plugins.inserts.filter { insert in
            let kind = insert.instances.first?.plugin.kind.lowercased() ?? ""
            return insert.place.name == PluginPlace.ears
                && (kind.contains("equali") || ["parametric", "multiband"].contains(kind))
        }
        guard !found.isEmpty else { return nil }
        return "two equalisers are at the ears: the headphones' and the plugin "
            + found.map { "'\($0.name)'" }.joined(separator: ", ") + "; what both correct is corrected twice"
    }
}
