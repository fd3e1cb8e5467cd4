import CKernels
import CRealtime
import Signal

/// Decorrelators for frequencies above a crossover, one for each ambient channel.
///
/// Below the crossover the right channels differ from the left ones in phase from about 200 Hz upwards
/// (`PhaseDispersion`), and only little in the bass. In the bass the ears hear no difference, and copies that do not
/// add in phase would lose power.
///
/// The crossover is a first-order low-pass and its remainder. The sum of both parts is flat without the all-passes,
/// where they add by amplitude, and with the all-passes, where they add by power. Each of n pairs that share a sound
/// gets 1/√n of it. The low part adds by amplitude over all pairs, so it has another factor of 1/√n in each pair.
struct DecorrelatorBank: ~Copyable {
    private let bank: UnsafeMutablePointer<Decorrelator>
    private let count: Int
    /// The low-passes, and the dispersed phase of the right channel of a pair relative to the left one.
    private let job: UnsafeMutablePointer<prk_upmix_split>
    private let low: PlanarBlock
    /// Linear gain of the low part in each pair.
    private let lowGain: Float
    /// Feedback gain of each all-pass section.
    static var gain: Float { 0.3 }
    /// Crossover, Hz. Below it all pairs carry the same sound.
    static var crossover: Double { 420 }

    /// Returns the coefficient of the low-pass at `crossover`: its step towards the input per sample.
    static func share(sampleRate: SampleRate) -> Double { 1 - prc_exp(-2 * .pi * crossover / sampleRate.hertz) }

    /// Returns the gain of the low part, relative to the rest, in each of `pairs` pairs that share a sound.
    static func lowGain(pairs: Int) -> Double { (1 / Double(max(1, pairs))).squareRoot() }

    /// Makes decorrelators for `count` channels. Pairs are processed in blocks of up to `block` frames. If `keepsLow`
    /// is false, all frequencies are decorrelated.
    init(count: Int, sampleRate: SampleRate, keepsLow: Bool = false, block: Int = 0) {
        self.count = count
        bank = .allocate(capacity: max(1, count))
        for index in 0..<count {
            let delays = UpmixRouting.delays(index).map { Int((Double($0) * sampleRate.hertz / 48_000).rounded()) }
            (bank + index).initialize(to: Decorrelator(delays: delays, gain: Self.gain))
        }
        job = .allocate(capacity: 1)
        job.initialize(to: prk_upmix_split())
        job.pointee.share = keepsLow ? Float(Self.share(sampleRate: sampleRate)) : 0
        PhaseDispersion.set(&job.pointee, sampleRate: sampleRate)
        lowGain = Float(Self.lowGain(pairs: count / 2))
        low = PlanarBlock(channels: keepsLow ? 2 : 0, frames: block)
    }

    deinit {
        bank.deinitialize(count: count)
        bank.deallocate()
        job.deallocate()
    }

    /// Clears all state.
    @_noLocks
    func reset() {
        for index in 0..<count { bank[index].reset() }
        let blank = prk_upmix_split()
        (job.pointee.inputs, job.pointee.outputs, job.pointee.low) = (blank.inputs, blank.outputs, blank.low)
    }

    /// Filters the row of channel `index` in place, at all frequencies.
    @_noLocks
    func process(_ index: Int, _ row: UnsafeMutablePointer<Float>, frames: Int) {
        checkIndex(index, below: count, "channel of a bank of decorrelators")
        bank[index].process(row, frames: frames)
    }

    /// Disperses the phase of the right channel. Then removes the low part from a pair, and keeps it for
    /// `process(pair:_:_:frames:)`.
    @_noLocks
    func split(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int) {
        prk_upmix_take_low(job, frames, left, right, low[0], low[1])
    }

    /// Filters, in place, the rows of a pair from which the low part was removed. Then adds the low part of `split`
    /// with `lowGain`.
    @_noLocks
    func process(pair: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int) {
        process(2 * pair, left, frames: frames)
        process(2 * pair + 1, right, frames: frames)
        Samples.add(low[0], gain: lowGain, to: left, count: frames)
        Samples.add(low[1], gain: lowGain, to: right, count: frames)
    }
}
