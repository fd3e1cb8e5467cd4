/// Assignment of a place's channels to the inputs and outputs of a plugin's instances.
package struct InsertRouting: Hashable, Sendable {
    /// Number of channels of the place.
    package let channels: Int
    /// `[instance][input]`: channel of the place.
    package let inputs: [[Int]]
    /// `[instance][output]`: channel of the place. All instances together output each channel once, or no channel.
    package let outputs: [[Int]]
    /// Whether the plugin's outputs are added to the dry path. The plugin then has no inputs.
    package let adds: Bool

    /// Assigns `channels` to a plugin with the given numbers of inputs and outputs. Returns nil if no assignment fits.
    ///
    /// A plugin with as many outputs as channels has one instance. Otherwise a mono plugin has one instance per
    /// channel, and a stereo plugin one per pair. With an odd number of channels, the last stereo instance gets the
    /// last channel on both inputs, and its left output is used. The output of a plugin without inputs, an instrument,
    /// is added to the dry path. A plugin without audio, which only handles events, leaves the sound unchanged.
    package init?(channels: Int, pluginInputs: Int, pluginOutputs: Int) {
        guard channels > 0, pluginInputs == pluginOutputs || pluginInputs == 0 else { return nil }
        self.channels = channels
        adds = pluginInputs == 0
        let heard: [[Int]]
        switch pluginOutputs {
        case 0:
            heard = [[]]
            outputs = heard
        case channels:
            heard = [Array(0..<channels)]
            outputs = heard
        case 1:
            heard = (0..<channels).map { [$0] }
            outputs = heard
        case 2:
            heard = stride(from: 0, to: channels, by: 2).map { [$0, min($0 + 1, channels - 1)] }
            outputs = stride(from: 0, to: channels, by: 2).map { $0 + 1 < channels ? [$0, $0 + 1] : [$0] }
        default: return nil
        }
        inputs = adds ? heard.map { _ in [] } : heard
    }
}
