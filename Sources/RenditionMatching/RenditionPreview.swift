import Signal
import Soundstage

/// Both renditions of a programme, up to 30 ms before the audio thread outputs them. Results for a sound are therefore
/// ready when the sound is heard. The delays of the renditions limit this lead.
///
/// The input is stored, and is read at each rendition's delay minus the lead. The stereo rendition passes a second
/// upmix with the settings of the audio thread's upmix. A preview must be used by one thread at a time, and not by the
/// audio thread. Cost: a second upmix, not a second rendering.
final class RenditionPreview {
    /// Longest lead, seconds: the duration of a block, plus the time until its results reach the audio thread.
    static let longestLead = 0.03

    /// Rows of a block: the feeds made from stereo, those of the multichannel rendition, then left and right of stereo.
    let rows: PlanarBlock
    private let feedCount: Int
    private let block: Int
    private let most: Int
    private let reach: Int
    private var spread: StereoSpread
    /// Input and output of `spread`, the second upmix, for one piece: left and right, then the feeds.
    private let piece: PlanarBlock
    /// `[input][frame & mask]`.
    private let history: PlanarBlock
    private let mask: Int
    private var head = 0

    /// Makes a preview with blocks of `block` frames, for a programme with two renditions.
    init(_ programme: Programme, sampleRate: SampleRate, block: Int) throws(UpmixError) {
        self.block = block
        feedCount = programme.layout.channelCount
        spread = try StereoSpread(programme, sampleRate: sampleRate)
        most = Int(Self.longestLead * sampleRate.hertz)
        reach = Int((2 * HandOver.most + HandOver.reach) * sampleRate.hertz) + spread.latencyFrames
        var capacity = 1024
        while capacity < reach + 2 * block { capacity *= 2 }
        mask = capacity - 1
        history = PlanarBlock(channels: feedCount + 2, frames: capacity)
        rows = PlanarBlock(channels: 2 * feedCount + 2, frames: block)
        piece = PlanarBlock(channels: 2 + feedCount, frames: ProgrammeSlice.longest)
    }

    /// Adds the next block of all inputs and fills `rows`. `multichannelDelay` and `stereoDelay` are the delays of the
    /// renditions from input to output, frames.
    func take(
        _ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, multichannelDelay: Int, stereoDelay: Int,
        upmix: UpmixState
    ) {
        for input in 0..<feedCount + 2 {
            for i in 0..<block { history[input][(head + i) & mask] = inputs[input][i] }
        }
        head += block
        let ready = stereoDelay - spread.latencyFrames
        let lead = max(0, min(most, min(multichannelDelay, ready)))
        for feed in 0..<feedCount { read(feed, delay: multichannelDelay - lead, to: rows[feedCount + feed]) }
        for ear in 0..<2 { read(feedCount + ear, delay: ready - lead, to: rows[2 * feedCount + ear]) }
        var done = 0
        while done < block {
            let count = min(ProgrammeSlice.longest, block - done)
            for ear in 0..<2 { Samples.copy(rows[2 * feedCount + ear] + done, to: piece[ear], count: count) }
            spread.process(
                piece.pointers, feeds: piece.pointers + 2, feedCount: feedCount, frames: count, upmix: upmix)
            for feed in 0..<feedCount { Samples.copy(piece[2 + feed], to: rows[feed] + done, count: count) }
            done += count
        }
    }

    private func read(_ input: Int, delay: Int, to row: UnsafeMutablePointer<Float>) {
        let start = head - block - max(0, min(reach, delay))
        for i in 0..<block { row[i] = history[input][(start + i) & mask] }
    }
}
