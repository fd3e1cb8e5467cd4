import CRealtime
import Metering
import Signal

/// Detector of the level for the compression. The level is the K-weighted power of all channels in two windows, the
/// last 31 ms (about) and the last 2 ms.
///
/// Power is summed in blocks of a third of a millisecond (16 frames at 48 kHz). The windows are rectangular and consist
/// of whole blocks. In the long window the ripple of a tone stays within half a decibel down to 45 Hz. The delay of
/// this window is subtracted from the time constants (see `DynamicRange`). The short window is for fast attacks. The
/// boundaries of blocks do not depend on the division of a stream into calls.
struct LoudnessDetector: ~Copyable {
    /// Lengths of the short window and of the long window, in blocks.
    private static var shortBlocks: Int { @_noLocks get { 6 } }
    private static var longBlocks: Int { @_noLocks get { 92 } }
    /// Level that is returned for silence, LUFS.
    private static var floor: Double { @_noLocks get { -100 } }

    /// Frames per block.
    let blockFrames: Int
    private let power: KWeightedPower
    /// Sums of the last `longBlocks` blocks, in a ring of groups of four.
    private let sums: UnsafeMutablePointer<SIMD4<Double>>
    private let flat: UnsafeMutablePointer<Double>
    private var place = 0

    /// Makes a detector at rest.
    init(sampleRate: SampleRate, channelWeights: [Float]) {
        blockFrames = max(1, Int((sampleRate.hertz / 3000).rounded()))
        power = KWeightedPower(sampleRate: sampleRate, channelWeights: channelWeights)
        let fours = LoudnessDetector.longBlocks / 4
        sums = .allocate(capacity: fours)
        sums.initialize(repeating: SIMD4(), count: fours)
        flat = UnsafeMutableRawPointer(sums).assumingMemoryBound(to: Double.self)
    }

    deinit { sums.deallocate() }

    /// Returns the length of the long window at a sample rate, seconds.
    static func windowSeconds(blockFrames: Int, sampleRate: SampleRate) -> Double {
        sampleRate.seconds(frames: longBlocks * blockFrames)
    }

    /// Clears all state.
    @_noLocks
    mutating func reset() {
        power.reset()
        for i in 0..<LoudnessDetector.longBlocks / 4 { sums[i] = SIMD4() }
        place = 0
    }

    /// Computes the power of each of `count` frames.
    @_noLocks
    func measure(
        _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, into frames: UnsafeMutablePointer<Double>
    ) { power.measure(rows, count: count, into: frames) }

    /// Adds the summed power of a complete block. Returns the levels of both windows, LUFS.
    ///
    /// Power that is not finite, which comes from samples that are not finite, clears all state and counts as silence.
    @_noLocks
    mutating func take(_ block: Double) -> (long: Double, short: Double) {
        guard block.isFinite else {
            reset()
            return (LoudnessDetector.floor, LoudnessDetector.floor)
        }
        flat[place] = block
        var short = 0.0
        var back = place
        for _ in 0..<LoudnessDetector.shortBlocks {
            short += flat[back]
            back = back == 0 ? LoudnessDetector.longBlocks - 1 : back - 1
        }
        place = place + 1 == LoudnessDetector.longBlocks ? 0 : place + 1
        var long = SIMD4<Double>()
        for i in 0..<LoudnessDetector.longBlocks / 4 { long += sums[i] }
        let frames = Double(blockFrames)
        return (
            level((long.x + long.y + long.z + long.w) / (frames * Double(LoudnessDetector.longBlocks))),
            level(short / (frames * Double(LoudnessDetector.shortBlocks)))
        )
    }

    /// Returns the loudness of a mean square by BS.1770, LUFS. Just above the limit of silence it is 0.7 dB below
    /// `floor`. This has no effect if the reference is above −66 LUFS, because all curves are constant at such levels.
    @_noLocks
    private func level(_ meanSquare: Double) -> Double {
        guard meanSquare > 1e-10 else { return LoudnessDetector.floor }
        return -0.691 + prc_log(meanSquare) * 4.342_944_819_032_518
    }
}
