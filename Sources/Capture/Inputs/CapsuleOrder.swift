import Geometry
import Signal

/// Test of the order of capsules by the correlations of their signals in a diffuse field.
///
/// The patterns and positions of two capsules determine their correlation in a diffuse field (Elko, "Spatial coherence
/// functions for differential microphones in isotropic noise fields", 2001). The correlation of each pair is measured
/// in octaves. It is compared with the expected correlations for every order of the capsules, and for every capsule
/// with inverted polarity. A fault is reported only if another candidate fits well and the array's order does not. A
/// field that is not diffuse fits no candidate. Orders that are equal by the array's symmetry cannot be separated;
/// these are all orders of a tetrahedron and of three capsules in a ring. `TurnedOrder` separates the orders of a
/// tetrahedron by rotations of the device.
package struct CapsuleOrder: Sendable {
    /// Centre frequencies of the octaves, Hz.
    private static let octaves = [500.0, 1000, 2000, 4000]
    /// Least duration of sound before a fault is reported, seconds.
    package static let patience = 10.0
    /// Root-mean-square deviations of the correlations: the greatest deviation of a reported candidate, and the
    /// greatest deviation at which the array's order passes.
    private static let (fits, fails) = (0.08, 0.15)
    /// Time constant of the mean products, seconds.
    private static let memory = 20.0

    private let names: [String]
    private let capsules: Int
    private let sampleRate: Double
    private let candidates: [Candidate]
    /// Expected correlations, `[octave][i][j]`.
    private let expected: [[[Double]]]
    /// Bandpass filters, `[octave][channel][section]`.
    private var sections: [[[SecondOrderFilter]]]
    /// Mean products, `[octave][i][j]`.
    private var products: [[[Double]]]
    private var seconds = 0.0

    /// An order of the capsules, with at most one polarity inverted.
    private struct Candidate: Sendable {
        /// `order[i]`: capsule that is connected to input i.
        var order: [Int]
        var inverted: Int?
    }

    /// Creates a test of an array's capsules; nil for fewer than three capsules, more than eight, or a sample rate up
    /// to 12 kHz.
    package init?(_ array: MicrophoneArray, sampleRate: SampleRate) {
        let all = array.capsules
        guard (3...8).contains(all.count), sampleRate.hertz > 12_000 else { return nil }
        capsules = all.count
        names = all.map(\.name)
        self.sampleRate = sampleRate.hertz
        let responses = ArrayResponses(all, length: 1024, sampleRate: sampleRate)
        expected = Self.octaves.map { Self.agreement(responses, $0) }
        candidates = Self.candidates(all.count)
        let count = all.count
        sections = Self.octaves.map { middle in
            let root = 2.0.squareRoot()
            let band = SecondOrderFilter.band(from: middle / root, to: middle * root, sampleRate: sampleRate)
            return [[SecondOrderFilter]](repeating: band, count: count)
        }
        products = Self.octaves.map { _ in [[Double]](repeating: [Double](repeating: 0, count: count), count: count) }
    }

    /// Analyses `frames` frames of each capsule. Cost per sample and capsule: eight filter sections and some products.
    package mutating func process(_ block: borrowing PlanarBlock, frames: Int) {
        guard frames > 0 else { return }
        let span = Double(frames) / sampleRate
        let share = min(1, span / min(Self.memory, seconds + span))
        var rows = [[Double]](repeating: [Double](repeating: 0, count: frames), count: capsules)
        for octave in Self.octaves.indices {
            for channel in 0..<capsules {
                let row = block[channel]
                for i in 0..<frames {
                    var value = Double(row[i])
                    for section in 0..<2 { value = sections[octave][channel][section](value) }
                    rows[channel][i] = value
                }
            }
            for a in 0..<capsules {
                for b in 0...a {
                    var sum = 0.0
                    for i in 0..<frames { sum += rows[a][i] * rows[b][i] }
                    products[octave][a][b] += share * (sum / Double(frames) - products[octave][a][b])
                }
            }
        }
        seconds += span
    }

    /// Fault of order or polarity, after `patience` seconds of sound; nil before that time, if a capsule is silent, or
    /// if no fault is found.
    package var fault: InputFault? {
        guard seconds >= Self.patience else { return nil }
        let measured = products.map { octave in
            (0..<capsules).map { a in
                (0..<capsules).map { b in
                    let product = octave[max(a, b)][min(a, b)]
                    return product / max(1e-30, (octave[a][a] * octave[b][b]).squareRoot())
                }
            }
        }
        // A silent capsule has no correlation with other capsules. `InputMeter` reports such a capsule.
        let hasSilent = products.contains { octave in (0..<capsules).contains { octave[$0][$0] < 1e-14 } }
        guard !hasSilent else { return nil }
        let said = deviation(Candidate(order: Array(0..<capsules), inverted: nil), measured)
        guard said > Self.fails else { return nil }
        let deviations = candidates.map { deviation($0, measured) }
        guard let best = deviations.indices.min(by: { deviations[$0] < deviations[$1] }), deviations[best] < Self.fits
        else { return nil }
        if let inverted = candidates[best].inverted { return .inverted(names[inverted]) }
        return .swapped(candidates[best].order.map { names[$0] })
    }

    /// Returns the root-mean-square deviation of the measured correlations from those of a candidate, over pairs and
    /// octaves.
    private func deviation(_ candidate: Candidate, _ measured: [[[Double]]]) -> Double {
        var (sum, count) = (0.0, 0.0)
        for octave in Self.octaves.indices {
            for a in 0..<capsules {
                for b in 0..<a {
                    let turned = (candidate.inverted == a) != (candidate.inverted == b)
                    let due = expected[octave][candidate.order[a]][candidate.order[b]] * (turned ? -1 : 1)
                    sum += (measured[octave][a][b] - due) * (measured[octave][a][b] - due)
                    count += 1
                }
            }
        }
        return (sum / count).squareRoot()
    }

    /// Returns the correlation of each pair in one octave of a diffuse field.
    private static func agreement(_ responses: ArrayResponses, _ middle: Double) -> [[Double]] {
        let grid = GaussGrid(exactTo: 14)
        let directions = grid.directions(in: Stage.self)
        let weights = grid.weights
        let count = responses.capsuleCount
        var sums = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
        let bins = (0..<responses.binCount).filter {
            responses.frequency($0) >= middle / 2.0.squareRoot() && responses.frequency($0) <= middle * 2.0.squareRoot()
        }
        for bin in bins {
            for (direction, weight) in zip(directions, weights) {
                let values = (0..<count).map { responses.response(bin, capsule: $0, direction.unit) }
                for a in 0..<count {
                    for b in 0..<count {
                        let product =
                            values[a].real * values[b].real + values[a].imaginary * values[b].imaginary
                        sums[a][b] += weight * product
                    }
                }
            }
        }
        let own = (0..<count).map { sums[$0][$0].squareRoot() }
        for a in 0..<count {
            for b in 0..<count { sums[a][b] /= max(1e-30, own[a] * own[b]) }
        }
        return sums
    }

    /// Returns all orders of up to four capsules, or all exchanges of two for more capsules. Candidates with the
    /// array's order and one inverted polarity are added.
    private static func candidates(_ count: Int) -> [Candidate] {
        let first = Array(0..<count)
        var orders: [[Int]] = []
        if count <= 4 {
            orders = permutations(first)
        } else {
            orders = [first]
            for a in 0..<count {
                for b in 0..<a {
                    var order = first
                    order.swapAt(a, b)
                    orders.append(order)
                }
            }
        }
        return orders.map { Candidate(order: $0, inverted: nil) }
            + first.map { Candidate(order: first, inverted: $0) }
    }

    /// Returns all permutations of numbers, with the given order first.
    static func permutations(_ numbers: [Int]) -> [[Int]] {
        guard numbers.count > 1 else { return [numbers] }
        return numbers.indices.flatMap { place in
            var rest = numbers
            let first = rest.remove(at: place)
            return permutations(rest).map { [first] + $0 }
        }
    }
}
