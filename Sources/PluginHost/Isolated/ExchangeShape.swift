/// Shape of the exchange between host and child: channels, slice and latency.
struct ExchangeShape: Hashable, Sendable, Codable {
    /// Audio channels into the plugin.
    var inputs: Int
    /// Audio channels out of the plugin.
    var outputs: Int
    /// Most frames in a call.
    var slice: Int
    /// Latency of the exchange, frames, without the plugin's own: a whole number of slices.
    var latency: Int

    /// Makes a shape for calls of up to `slice` frames, made `period` frames at a time; 0: at most one slice.
    init(inputs: Int, outputs: Int, slice: Int, period: Int) {
        self.inputs = inputs
        self.outputs = outputs
        self.slice = slice
        latency = max(1, (period + slice - 1) / slice) * slice
    }

    /// Frames of a ring, a power of two: four times the frames under way, so that a late child does not touch frames in
    /// use.
    var capacity: Int {
        var capacity = 1024
        while capacity < 4 * latency { capacity *= 2 }
        return capacity
    }
}
