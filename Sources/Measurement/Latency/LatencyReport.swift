import Foundation

/// What `measure latency` found, for the user and for programs.
package struct LatencyReport: Codable, Sendable {
    /// Percentiles of one figure, milliseconds.
    package struct Spread: Codable, Sendable, Hashable {
        /// Median, 99th percentile, largest.
        package let p50: Double, p99: Double, max: Double

        init(_ seconds: [Double]) {
            let sorted = seconds.isEmpty ? [.nan] : seconds.sorted().map { $0 * 1000 }
            (p50, p99, max) = (sorted.quantile(0.5), sorted.quantile(0.99), sorted.quantile(1))
        }
    }

    /// Frames per second, per period, per slice.
    package let sampleRate: Double, period: Int, slice: Int
    /// Steps sent and steps found in the sound.
    package let sent: Int, found: Int
    /// Frames the server skipped meanwhile, and steps near them or after a stall of the sender: those are counted here
    /// and left out of the figures.
    package let skippedFrames: Int, disturbed: Int
    /// The largest total of those, milliseconds; 0 without any.
    package let disturbedMax: Double
    /// The parts, and their sums for each step.
    package let transport: Spread, waiting: Spread, tracking: Spread, playback: Spread
    /// Up to the first changed frame, less the playback latency; all of software; all.
    package let onset: Spread, software: Spread, total: Spread
    /// Every step found.
    package let steps: [MotionDelay]

    /// What was found of steps that were sent.
    package init(_ delays: [MotionDelay], sent: Int, sampleRate: Double, period: Int, slice: Int, skippedFrames: Int) {
        self.sampleRate = sampleRate
        self.period = period
        self.slice = slice
        self.sent = sent
        self.skippedFrames = skippedFrames
        found = delays.count
        disturbed = delays.filter(\.isDisturbed).count
        disturbedMax = 1000 * (delays.filter(\.isDisturbed).map(\.total).max() ?? 0)
        steps = delays
        let delays = delays.filter { !$0.isDisturbed }
        transport = Spread(delays.map(\.transport))
        waiting = Spread(delays.map(\.waiting))
        tracking = Spread(delays.map(\.tracking))
        playback = Spread(delays.map(\.playback))
        onset = Spread(delays.map(\.onset))
        software = Spread(delays.map(\.software))
        total = Spread(delays.map(\.total))
    }

    /// Milliseconds that software may take: 10 ms and one period.
    package var allowance: Double { 10 + Double(period) / sampleRate * 1000 }

    /// The same in words.
    package var lines: [String] {
        func row(_ name: String, _ spread: Spread) -> String {
            let padded = name.padding(toLength: 44, withPad: " ", startingAt: 0)
            return padded + String(format: "%8.2f %8.2f %8.2f", spread.p50, spread.p99, spread.max)
        }
        let periodText = String(format: "%d (%.2f ms)", period, Double(period) / sampleRate * 1000)
        var lines = [
            "\(found) of \(sent) steps of 3° heard; \(Int(sampleRate)) Hz, period \(periodText), slice \(slice)",
            "ms".padding(toLength: 47, withPad: " ", startingAt: 0) + "  p50      p99      max",
            row("transport: packet to decoder", transport),
            row("period and slice: to the first changed frame", waiting),
            row("tracking: to half of the change", tracking),
            row("playback latency, as JACK's ports report it", playback),
            row("software (the first three)", software), row("total: motion to sound", total),
            row("  to the first changed frame, no playback", onset),
            String(
                format:
                    "Measured from the output's samples. The first changed frame is found to %.1f ms, half of the change "
                    + "to %.1f ms.", Double(slice) / 2 / sampleRate * 1000, 32 / sampleRate * 1000),
            "Not in it: the sensor's own delay, radio links, the converter behind JACK's ports.",
        ]
        if disturbed > 0 {
            lines.append(
                String(
                    format:
                        "Left out: %d steps beside which the server skipped periods (%d frames in all) or the sender was held up; up "
                        + "to %.1f ms.",
                    disturbed, skippedFrames, disturbedMax))
        }
        return lines
    }
}
