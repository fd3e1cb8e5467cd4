/// Summary of a plugin, for lists.
package struct PluginSummary: Hashable, Sendable, Codable {
    /// Identifier in chains. For LV2 it is the plugin's URI.
    package var identifier: String
    /// Display name.
    package var name: String
    /// Name of the manufacturer; empty if it is not stated.
    package var maker: String
    /// Class of the plugin.
    package var kind: String
    /// Path of the plugin's bundle.
    package var bundle: String
    /// Number of audio (or CV) inputs.
    package var inputs: Int
    /// Number of audio (or CV) outputs.
    package var outputs: Int
    /// Number of presets.
    package var presets: Int
    /// Whether the plugin reports its latency.
    package var tellsLatency: Bool
    /// Reason why this host cannot run the plugin; nil if it can.
    package var refusal: String?
    /// Version.
    package var version: PluginVersion

    /// Creates the summary of a description.
    package init(_ plugin: PluginDescription) {
        identifier = plugin.identifier
        name = plugin.name
        maker = plugin.maker
        kind = plugin.kind
        bundle = plugin.bundle
        inputs = plugin.audioInputs.count
        outputs = plugin.audioOutputs.count
        presets = plugin.presets.count
        tellsLatency = plugin.tellsLatency
        refusal = plugin.refusal
        version = plugin.version
    }
}
