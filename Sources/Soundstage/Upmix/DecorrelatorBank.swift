import Signal

/// One decorrelator for each ambient channel.
struct DecorrelatorBank: ~Copyable {
    private let bank: UnsafeMutablePointer<Decorrelator>
    private let count: Int
    /// The feedback of each section.
    static var gain: Float { 0.3 }

    /// Decorrelators for `count` channels at a rate.
    init(count: Int, sampleRate: SampleRate) {
        self.count = count
        bank = .allocate(capacity: max(1, count))
        for index in 0..<count {
            let delays = UpmixRouting.delays(index).map { Int((Double($0) * sampleRate.hertz / 48_000).rounded()) }
            (bank + index).initialize(to: Decorrelator(delays: delays, gain: Self.gain))
        }
    }

    deinit {
        bank.deinitialize(count: count)
        bank.deallocate()
    }

    /// Forgets everything heard.
    @_noLocks
    func reset() { for index in 0..<count { bank[index].reset() } }

    /// Filters the row of channel `index` in place.
    @_noLocks
    func process(_ index: Int, _ row: UnsafeMutablePointer<Float>, frames: Int) {
        checkIndex(index, below: count, "channel of a bank of decorrelators")
        bank[index].process(row, frames: frames)
    }
}
