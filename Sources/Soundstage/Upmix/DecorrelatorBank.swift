import CRealtime
import Signal

/// One decorrelator for each ambient channel, for what lies above a low frequency: below it the ears hear no
/// difference, and copies that no longer add up would take the bass away.
///
/// The division is a low-pass of first order and what it leaves: whether the two parts add by amplitude, as they came,
/// or by power, as they do behind an all-pass, the sum is flat. Of n pairs that share a sound each has 1/√n of it; what
/// is low adds up by amplitude over them all, so that each has 1/√n of that again.
struct DecorrelatorBank: ~Copyable {
    private let bank: UnsafeMutablePointer<Decorrelator>
    private let count: Int
    /// Share of the way that the low-pass goes in a sample; 0 where all is decorrelated.
    private let share: Float
    /// `[pair]` left and right.
    private let states: UnsafeMutablePointer<SIMD2<Float>>
    private let low: PlanarBlock
    private let lowGain: Float
    /// The feedback of each section.
    static var gain: Float { 0.3 }
    /// Hertz below which ambience stays as it is.
    static var crossover: Double { 420 }

    /// Share of the way that the low-pass of `crossover` goes in a sample.
    static func share(sampleRate: SampleRate) -> Double { 1 - prc_exp(-2 * .pi * crossover / sampleRate.hertz) }

    /// What pairs that share a sound have of its low part, against the rest.
    static func lowGain(pairs: Int) -> Double { (1 / Double(max(1, pairs))).squareRoot() }

    /// Decorrelators for `count` channels at a rate, pairs of them in blocks of up to `block` frames; all frequencies
    /// where `keepsLow` is false.
    init(count: Int, sampleRate: SampleRate, keepsLow: Bool = false, block: Int = 0) {
        self.count = count
        bank = .allocate(capacity: max(1, count))
        for index in 0..<count {
            let delays = UpmixRouting.delays(index).map { Int((Double($0) * sampleRate.hertz / 48_000).rounded()) }
            (bank + index).initialize(to: Decorrelator(delays: delays, gain: Self.gain))
        }
        share = keepsLow ? Float(Self.share(sampleRate: sampleRate)) : 0
        states = .allocate(capacity: max(1, count / 2))
        states.initialize(repeating: .zero, count: max(1, count / 2))
        lowGain = Float(Self.lowGain(pairs: count / 2))
        low = PlanarBlock(channels: keepsLow ? 2 : 0, frames: block)
    }

    deinit {
        bank.deinitialize(count: count)
        bank.deallocate()
        states.deallocate()
    }

    /// Forgets everything heard.
    @_noLocks
    func reset() {
        for index in 0..<count { bank[index].reset() }
        states.update(repeating: .zero, count: max(1, count / 2))
    }

    /// Filters the row of channel `index` in place, all frequencies alike.
    @_noLocks
    func process(_ index: Int, _ row: UnsafeMutablePointer<Float>, frames: Int) {
        checkIndex(index, below: count, "channel of a bank of decorrelators")
        bank[index].process(row, frames: frames)
    }

    /// Filters the rows of a pair in place; what is low is only shared among the pairs.
    @_noLocks
    func process(pair: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int) {
        var state = states[pair]
        for i in 0..<frames {
            let x = SIMD2(left[i], right[i])
            state += share * (x - state)
            (low[0][i], low[1][i]) = (state.x, state.y)
            (left[i], right[i]) = (x.x - state.x, x.y - state.y)
        }
        states[pair] = state
        process(2 * pair, left, frames: frames)
        process(2 * pair + 1, right, frames: frames)
        Samples.add(low[0], gain: lowGain, to: left, count: frames)
        Samples.add(low[1], gain: lowGain, to: right, count: frames)
    }
}
