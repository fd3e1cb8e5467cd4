/// Steps of the lag between a programme and the ears since activation: periods in which the programme's sound did not
/// arrive, or was not played. A count that other programs cause too: a player that is late leaves a period empty.
package struct LagSteps: Hashable, Sendable, Codable {
    /// Number of steps; periods lost one after the other are one step.
    package var count = 0
    /// Frames by which the server's clock ran ahead of the cycles that reached this client.
    package var skippedFrames = 0
    /// Frames of whole periods that were silent in all inputs between two periods of sound (`InputGaps`).
    package var emptyFrames = 0

    /// Makes a count of these steps.
    package init(count: Int = 0, skippedFrames: Int = 0, emptyFrames: Int = 0) {
        (self.count, self.skippedFrames, self.emptyFrames) = (count, skippedFrames, emptyFrames)
    }
}
