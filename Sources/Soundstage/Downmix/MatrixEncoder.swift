import CRealtime
import Signal

/// Encodes a programme as Lt/Rt, two channels from which a matrix decoder makes five or seven (`MatrixEncoding`).
///
/// Surrounds are shifted by 90° relative to the front, so that a sound panned from the front to the side of the room
/// does not cancel on its way (Dolby Pro Logic II). The shift is made by a Hilbert transformer of linear phase. It is
/// accurate within 0.1 dB from 15 Hz upwards, and delays everything by `latency` frames. Not for the audio thread.
/// Cost: about 0.1 ms per 1000 frames.
package struct MatrixEncoder: ~Copyable {
    /// Latency from input to output, frames.
    package let latency: Int
    /// Number of input channels.
    package let channelCount: Int
    /// Gains to four rows: the front's Lt and Rt, then the surrounds' Lt and Rt before their phase shift.
    private let matrix: ChannelMatrix
    private let taps: Int
    private let response: PlanarBlock
    /// The four rows. Each begins with the last 2·`latency` frames of the previous call.
    private let lines: PlanarBlock
    private let turned: PlanarBlock

    /// Largest number of frames in one call.
    package static let longest = 4096

    /// Makes an encoder at rest, for a layout's channels.
    ///
    /// - Parameter lfeGain: Level at which LFE is mixed in; nil leaves it out.
    /// - Throws: The errors of `Layout.conversion(to:)`.
    package init(_ layout: Layout, sampleRate: SampleRate, lfeGain: Decibels? = nil) throws(SoundstageError) {
        let has = { (channel: Channel) in layout.loudspeakers.contains { $0.symbol == channel.rawValue } }
        let stage = try Layout.named(has(.sideLeft) && has(.backLeft) ? "7.1" : "5.1")
        // The conversion is the identity if `layout` is the named layout itself. A layout with the same name may have
        // another channel order or other loudspeakers.
        let folded = try layout.conversion(to: stage)
        let sources = MatrixEncoding(stage)?.sources ?? []
        var rows = [[Double]](repeating: [Double](repeating: 0, count: stage.channelCount), count: 4)
        for (channel, loudspeaker) in stage.loudspeakers.enumerated() {
            if loudspeaker.isLowFrequency {
                let gain = (lfeGain?.amplitude ?? 0) * 0.5.squareRoot()
                (rows[0][channel], rows[1][channel]) = (gain, gain)
            } else if let source = sources.first(where: { $0.channel.rawValue == loudspeaker.symbol }) {
                let first = source.isInFront ? 0 : 2
                (rows[first][channel], rows[first + 1][channel]) = (source.left, source.right)
            }
        }
        matrix = ChannelMatrix(inputCount: stage.channelCount, gains: rows).after(folded)
        channelCount = layout.channelCount
        // Taps on each side: 75 ms, which is 1.5 periods of 20 Hz.
        latency = Int(0.075 * sampleRate.hertz) | 1
        taps = 2 * latency + 1
        response = PlanarBlock(channels: 1, frames: taps)
        for offset in 1...latency where offset % 2 == 1 {
            // 2/(π·n), with Blackman's window.
            let phase = Double.pi * Double(offset) / Double(latency + 1)
            let window = 0.42 + 0.5 * prc_cos(phase) + 0.08 * prc_cos(2 * phase)
            let value = Float(2 / (Double.pi * Double(offset)) * window)
            response[0][latency + offset] = value
            response[0][latency - offset] = -value
        }
        lines = PlanarBlock(channels: 4, frames: 2 * latency + Self.longest)
        turned = PlanarBlock(channels: 1, frames: Self.longest)
    }

    /// Clears all state.
    package func reset() { for row in 0..<4 { Samples.clear(lines[row], count: 2 * latency) } }

    /// Encodes the next `frames` ≤ `longest` frames of the layout's channels into two rows.
    package func process(
        _ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, into outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        frames: Int
    ) {
        withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>.self, capacity: 4) { ends in
            for row in 0..<4 { ends.initializeElement(at: row, to: lines[row] + 2 * latency) }
            if let ends = ends.baseAddress { matrix.apply(inputs, to: ends, frames: frames) }
        }
        for side in 0..<2 {
            Samples.copy(lines[side] + latency, to: outputs[side], count: frames)
            Samples.filter(lines[side + 2], by: response[0], taps: taps, to: turned[0], count: frames)
            for i in 0..<frames { outputs[side][i] += turned[0][i] }
        }
        for row in 0..<4 {
            let line = lines[row]
            for i in 0..<(2 * latency) { line[i] = line[i + frames] }
        }
    }
}
