import CRealtime
import Metering
import Signal

/// The level that compression follows: K-weighted power of all channels over the last 30 ms, and over the last 2 ms.
///
/// Power is summed in blocks of a third of a millisecond (16 frames at 48 kHz); the windows are whole blocks,
/// rectangular. 30 ms is long enough for the ripple of a tone to stay within half a decibel down to 45 Hz, and its
/// delay is taken off the time constants (see `DynamicRange`); 2 ms is for fast attacks. The blocks lie on a grid of
/// stream time.
struct LoudnessDetector: ~Copyable {
    /// Blocks of the short and the long window.
    private static var shortBlocks: Int { @_noLocks get { 6 } }
    private static var longBlocks: Int { @_noLocks get { 92 } }
    /// Where levels end below, LUFS.
    private static var floor: Double { @_noLocks get { -100 } }

    /// Frames of a block.
    let blockFrames: Int
    private let power: KWeightedPower
    /// Sums of the last `longBlocks` blocks: a ring of whole fours.
    private let sums: UnsafeMutablePointer<SIMD4<Double>>
    private let flat: UnsafeMutablePointer<Double>
    private var place = 0

    /// A detector that has heard silence.
    init(sampleRate: SampleRate, channelWeights: [Float]) {
        blockFrames = max(1, Int((sampleRate.hertz / 3000).rounded()))
        power = KWeightedPower(sampleRate: sampleRate, channelWeights: channelWeights)
        let fours = LoudnessDetector.longBlocks / 4
        sums = .allocate(capacity: fours)
        sums.initialize(repeating: SIMD4(), count: fours)
        flat = UnsafeMutableRawPointer(sums).assumingMemoryBound(to: Double.self)
    }

    deinit { sums.deallocate() }

    /// Seconds of the long window at a rate.
    static func windowSeconds(blockFrames: Int, sampleRate: SampleRate) -> Double {
        sampleRate.seconds(frames: longBlocks * blockFrames)
    }

    /// Forgets everything.
    @_noLocks
    mutating func reset() {
        power.reset()
        for i in 0..<LoudnessDetector.longBlocks / 4 { sums[i] = SIMD4() }
        place = 0
    }

    /// Power of each of `count` frames.
    @_noLocks
    func measure(
        _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, into frames: UnsafeMutablePointer<Double>
    ) { power.measure(rows, count: count, into: frames) }

    /// Takes the summed power of a whole block and answers with the levels of both windows, LUFS.
    ///
    /// Power that is not finite (an input that is not) forgets everything and counts as silence.
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

    /// BS.1770's loudness of a mean square.
    @_noLocks
    private func level(_ meanSquare: Double) -> Double {
        guard meanSquare > 1e-10 else { return LoudnessDetector.floor }
        return -0.691 + prc_log(meanSquare) * 4.342_944_819_032_518
    }
}
