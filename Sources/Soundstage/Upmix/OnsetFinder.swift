/// Detector of onsets. An onset is a grain of 16 samples with much more power than the 2048 samples before it (43 ms at
/// 48 kHz).
///
/// Onsets are at least 1024 samples apart. Positions are counted in samples from the start, in multiples of 16. The
/// last eight onsets are kept.
struct OnsetFinder: ~Copyable {
    /// Samples in a grain, the unit of the search.
    static var grain: Int { @_noLocks get { 16 } }
    private static var grains: Int { @_noLocks get { 128 } }
    /// Ratio of a grain's power to the recent mean from which the grain is an onset: 15 dB.
    private static var ratio: Float { @_noLocks get { 30 } }
    /// Ring with the energies of the last grains.
    private let energies: UnsafeMutablePointer<Float>
    /// Ring with the positions of the last eight onsets.
    private let positions: UnsafeMutablePointer<Int>
    /// Sum of the energies, in double precision, so that rounding errors do not matter.
    private var past = 0.0
    /// Number of onsets found.
    private var count = 0
    /// Index of the oldest grain in the ring.
    private var place = 0
    /// Position of the next grain.
    private var next = 0

    /// Makes a finder without history.
    init() {
        energies = .allocate(capacity: Self.grains)
        energies.initialize(repeating: 0, count: Self.grains)
        positions = .allocate(capacity: 8)
        positions.initialize(repeating: .min, count: 8)
    }

    deinit {
        energies.deallocate()
        positions.deallocate()
    }

    /// Clears all state.
    @_noLocks
    mutating func reset() {
        for i in 0..<Self.grains { energies[i] = 0 }
        for i in 0..<8 { positions[i] = .min }
        (past, count, place, next) = (0, 0, 0, 0)
    }

    /// Searches the next `frames` frames, a multiple of 16. Cost: about 1 ns per sample.
    @_noLocks
    mutating func hear(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int) {
        for start in stride(from: 0, to: frames, by: Self.grain) {
            var power = SIMD4<Float>()
            for i in stride(from: start, to: start + Self.grain, by: 4) {
                let a = SIMD4(left[i], left[i + 1], left[i + 2], left[i + 3])
                let b = SIMD4(right[i], right[i + 1], right[i + 2], right[i + 3])
                power += a * a + b * b
            }
            let energy = power.sum() + 1e-10
            let last = positions[(count + 7) % 8]
            if energy > Self.ratio * (Float(past) / Float(Self.grains) + 1e-9), last == .min || next - last >= 1024 {
                positions[count % 8] = next
                count += 1
            }
            past += Double(energy) - Double(energies[place])
            energies[place] = energy
            place = (place + 1) % Self.grains
            next += Self.grain
        }
    }

    /// Returns the last onset before a position; nil if none of the eight is earlier.
    @_noLocks
    func last(before end: Int) -> Int? {
        var found: Int?
        for i in 0..<8 {
            let position = positions[i]
            if position < end, position > found ?? .min { found = position }
        }
        return found
    }

    /// Returns whether another onset precedes the one at `position` by at most `span` samples.
    @_noLocks
    func follows(_ position: Int, within span: Int) -> Bool {
        guard let earlier = last(before: position) else { return false }
        return position - earlier <= span
    }

    /// Returns the first onset in `range`; nil if there is none.
    @_noLocks
    func first(in range: Range<Int>) -> Int? {
        var found: Int?
        for i in 0..<8 {
            let position = positions[i]
            if range.contains(position), position < found ?? .max { found = position }
        }
        return found
    }
}
