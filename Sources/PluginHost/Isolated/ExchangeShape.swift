/// Shape of the exchange between host and child: channels, slice and latency.
struct ExchangeShape: Hashable, Sendable, Codable {
    /// Audio channels into the plugin.
    var inputs: Int
    /// Audio channels out of the plugin.
    var outputs: Int
    /// Greatest number of frames in a call.
    var slice: Int
    /// Latency of the exchange without the plugin's own, frames: a whole number of slices.
    var latency: Int

    /// Creates a shape for calls of up to `slice` frames, `period` frames per callback. A period of 0 means at most one
    /// slice.
    init(inputs: Int, outputs: Int, slice: Int, period: Int) {
        self.inputs = inputs
        self.outputs = outputs
        self.slice = slice
        latency = max(1, (period + slice - 1) / slice) * slice
    }

    /// Number of frames in a ring: a power of two, at least 1024 and at least four times the latency, so that a late
    /// child does not touch frames in use.
    var capacity: Int {
        var capacity = 1024
        while capacity < 4 * latency { capacity *= 2 }
        return capacity
    }
}
