import Foundation
import Metering
import Signal

/// Block sizes in which a meter is fed.
enum MeterPath: CaseIterable {
    /// In blocks of 1024.
    case even
    /// In odd blocks.
    case odd

    /// Block sizes for long signals; all of them in `make soak`.
    static let long = ProcessInfo.processInfo.environment["PROSCENIUM_SOAK"] == "1" ? allCases : [.odd]

    /// Returns the meter's readings at the end of the channels.
    func read(_ channels: [[Float]], weights: [Float], sampleRate: SampleRate) -> LoudnessReadings {
        let blocks = self == .even ? [1024] : [1, 4096, 17, 333]
        let meter = LoudnessMeter(sampleRate: sampleRate, weights: weights)
        let rows = PlanarBlock(channels: channels.count, frames: channels[0].count)
        for (index, samples) in channels.enumerated() {
            for i in samples.indices { rows[index][i] = samples[i] }
        }
        var (done, block) = (0, 0)
        while done < channels[0].count {
            let count = min(blocks[block % blocks.count], channels[0].count - done)
            meter.add(rows, from: done, frames: count)
            done += count
            block += 1
        }
        return meter.read()
    }
}
