/// Sudden changes (steps) of the delay between a programme and the ears since activation. A step occurs when the
/// programme's sound did not arrive, or was not played. Other programs can cause steps too: a player that is late
/// leaves a period empty.
package struct LagSteps: Hashable, Sendable, Codable {
    /// Number of steps. Periods that are lost one after the other are one step.
    package var count = 0
    /// Number of frames by which the server's clock ran ahead of the cycles that reached this client.
    package var skippedFrames = 0
    /// Frames of complete periods that were silent in all inputs between two periods of sound (`InputGaps`).
    package var emptyFrames = 0

    /// Makes the counts; see the properties.
    package init(count: Int = 0, skippedFrames: Int = 0, emptyFrames: Int = 0) {
        (self.count, self.skippedFrames, self.emptyFrames) = (count, skippedFrames, emptyFrames)
    }
}
