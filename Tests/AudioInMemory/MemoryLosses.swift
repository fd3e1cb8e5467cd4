@testable import AudioIO

/// Counts of the frames that a stage's client in memory has lost.
struct MemoryLosses {
    private(set) var xruns = 0
    private(set) var skippedFrames = 0
    private(set) var lagSteps = LagSteps()

    /// Counts frames by which the clock ran ahead of the cycles.
    mutating func skip(_ frames: Int) {
        xruns += 1
        skippedFrames += frames
        lagSteps.count += 1
        lagSteps.skippedFrames += frames
    }
}
