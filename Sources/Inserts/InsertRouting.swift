/// Which channels of a place go into each instance of a plugin, and which come out.
package struct InsertRouting: Hashable, Sendable {
    /// Channels of the place.
    package let channels: Int
    /// `[instance][input]`: a channel.
    package let inputs: [[Int]]
    /// `[instance][output]`: a channel; of all instances together, each channel of the place once, or none.
    package let outputs: [[Int]]
    /// Whether what comes out is added to what passes by: the plugin hears nothing of that.
    package let adds: Bool

    /// How a plugin of so many inputs and outputs serves `channels`: whole where it has as many, else one instance per
    /// channel (mono) or pair (stereo; of an odd number, the last instance hears its channel on both sides and gives
    /// its left); nil where it cannot. The sound of a plugin without inputs, an instrument, is added to what passes by,
    /// and a plugin without any sound, which sends and receives events, leaves that as it is.
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
