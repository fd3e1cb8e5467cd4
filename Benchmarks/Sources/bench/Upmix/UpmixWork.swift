import Signal
import Soundstage

/// Task of an upmix cell: stereo noise, partly common to both channels, to a layout.
final class UpmixWork {
    /// Frames per step: whole blocks of either latency, and whole cycles of the analysis.
    let period = 1024
    let sampleRate = 48_000.0
    let latency: UpmixLatency
    let layout: Layout
    /// Noise of the left channel, the right channel, and the common part.
    private let programme: Programme
    private let pair: PlanarBlock

    init(_ latency: UpmixLatency, layout name: String) throws {
        self.latency = latency
        layout = try Layout.named(name)
        programme = Programme(channels: 3, period: period)
        pair = PlanarBlock(channels: 2, frames: programme.periods * period)
        for channel in 0..<2 {
            for frame in 0..<(programme.periods * period) {
                pair[channel][frame] = Float(sampleOfMix(channel, frame))
            }
        }
    }

    /// Number of ambient pairs of the layout: all but the front, the centre, the LFE and the wides.
    var pairs: Int {
        let others: Set<Channel> = [.frontLeft, .frontRight, .frontCentre, .lowFrequency, .wideLeft, .wideRight]
        let names = Set(others.map(\.rawValue))
        return layout.loudspeakers.filter { !names.contains($0.symbol) }.count / 2
    }

    /// Returns the samples of a channel in a period.
    func samples(_ channel: Int, step: Int) -> UnsafePointer<Float> {
        UnsafePointer(pair[channel] + step % programme.periods * period)
    }

    /// Returns one sample of the stream, which begins with step 0; silence before.
    func sample(_ channel: Int, _ frame: Int) -> Double {
        frame < 0 ? 0 : Double(pair[channel][frame % (programme.periods * period)])
    }

    private func sampleOfMix(_ channel: Int, _ frame: Int) -> Double {
        programme.sample(channel: channel, frame: frame) + programme.sample(channel: 2, frame: frame)
    }
}
