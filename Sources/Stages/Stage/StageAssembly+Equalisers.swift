import Inserts
import PluginHost
import Racks

extension StageAssembly {
    /// What to say where the ears' plugins hold an equaliser beside the headphones'; nil where they do not.
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
