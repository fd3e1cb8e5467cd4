import Soundstage

/// Latency of a stage without its plugins, frames.
package struct StageLatency: Sendable {
    /// Latency of the look-ahead limiter; 0 with another kind of limiter.
    package let guardFrames: Int
    /// Latency of each input channel: the sum of the latencies of its programme and of the output limiter.
    package let inputs: [Int]
    /// Largest latency of the output: the sum of the latencies of the slowest programme and of the output limiter.
    let largest: Int

    /// Computes the latencies of `inputCount` inputs. The programmes' inputs are the first ones.
    init(guardFrames: Int, programmes: [ProgrammeRenderer], inputCount: Int) {
        self.guardFrames = guardFrames
        largest = guardFrames + (programmes.map(\.latencyFrames).max() ?? 0)
        let ofProgrammes = programmes.flatMap { [Int](repeating: $0.latencyFrames, count: $0.programme.inputCount) }
        inputs = (0..<inputCount).map { guardFrames + ($0 < ofProgrammes.count ? ofProgrammes[$0] : 0) }
    }
}
