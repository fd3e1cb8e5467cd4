/// What is exchanged between host and child: how many channels, and how late.
struct ExchangeShape: Hashable, Sendable, Codable {
    /// Audio channels that go in.
    var inputs: Int
    /// Audio channels that come out.
    var outputs: Int
    /// Most frames of a call.
    var slice: Int
    /// Frames by which what comes out is later than what goes in, the plugin's own latency aside: whole slices.
    var latency: Int

    /// A shape for calls of up to `slice` frames that come `period` frames at a time; 0: not more than a slice.
    init(inputs: Int, outputs: Int, slice: Int, period: Int) {
        self.inputs = inputs
        self.outputs = outputs
        self.slice = slice
        latency = max(1, (period + slice - 1) / slice) * slice
    }

    /// Frames of a ring, a power of two: four times what is under way, so that a child which reads or writes late meets
    /// nothing that is in use.
    var capacity: Int {
        var capacity = 1024
        while capacity < 4 * latency { capacity *= 2 }
        return capacity
    }
}
