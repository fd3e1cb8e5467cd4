import Foundation

/// Result of `measure latency`, for the user and for programs.
package struct LatencyReport: Codable, Sendable {
    /// Percentiles of one quantity, milliseconds; NaN without values.
    package struct Spread: Codable, Sendable, Hashable {
        /// Median, 99th percentile, largest.
        package let p50: Double, p99: Double, max: Double

        init(_ seconds: [Double]) {
            let sorted = seconds.isEmpty ? [.nan] : seconds.sorted().map { $0 * 1000 }
            (p50, p99, max) = (sorted.quantile(0.5), sorted.quantile(0.99), sorted.quantile(1))
        }
    }

    /// Sample rate in Hz, and the lengths of period and slice in frames.
    package let sampleRate: Double, period: Int, slice: Int
    /// Number of steps sent, and number of steps found in the sound.
    package let sent: Int, found: Int
    /// Frames that the server skipped during the measurement; and the number of disturbed steps, near skipped frames or
    /// after a stall of the sender. The percentiles leave out disturbed steps.
    package let skippedFrames: Int, disturbed: Int
    /// Largest total delay of a disturbed step, milliseconds; 0 without any.
    package let disturbedMax: Double
    /// Parts of the delay; for each step they sum to its total.
    package let transport: Spread, waiting: Spread, tracking: Spread, playback: Spread
    /// Delay to the first changed frame without the playback latency; delay of software; total delay.
    package let onset: Spread, software: Spread, total: Spread
    /// All steps found.
    package let steps: [MotionDelay]

    /// Computes the percentiles of the steps found, without disturbed ones; `sent` is the number of steps sent.
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

    /// Allowed delay of software, milliseconds: 10 ms and one period.
    package var allowance: Double { 10 + Double(period) / sampleRate * 1000 }

    /// The report in words.
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
                        "Left out: %d steps during which the server skipped periods (%d frames in all) or the sender was delayed; up "
                        + "to %.1f ms.",
                    disturbed, skippedFrames, disturbedMax))
        }
        return lines
    }
}
