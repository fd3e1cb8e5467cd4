/// A plugin in a few words, as lists show it.
package struct PluginSummary: Hashable, Sendable, Codable {
    /// The identifier by which chains name it: in LV2 its URI.
    package var identifier: String
    /// Its name, for people.
    package var name: String
    /// Who made it; empty where it does not say.
    package var maker: String
    /// What kind it is.
    package var kind: String
    /// The bundle it comes from, by path.
    package var bundle: String
    /// Number of audio (or CV) channels that go in.
    package var inputs: Int
    /// Number of audio (or CV) channels that come out.
    package var outputs: Int
    /// Whether it says how much later its output is.
    package var tellsLatency: Bool
    /// Why this host cannot run it; nil: it can.
    package var refusal: String?
    /// Which version it is.
    package var version: PluginVersion

    /// The few words of a description.
    package init(_ plugin: PluginDescription) {
        identifier = plugin.identifier
        name = plugin.name
        maker = plugin.maker
        kind = plugin.kind
        bundle = plugin.bundle
        inputs = plugin.audioInputs.count
        outputs = plugin.audioOutputs.count
        tellsLatency = plugin.tellsLatency
        refusal = plugin.refusal
        version = plugin.version
    }
}
