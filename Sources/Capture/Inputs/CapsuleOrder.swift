import Geometry
import Signal

/// Whether capsules stand in the order the array has them, by how alike their signals are in a field that comes from
/// everywhere.
///
/// Two capsules agree in a diffuse field as their patterns and places say (Elko, "Spatial coherence functions for
/// differential microphones in isotropic noise fields", 2001). The agreement of each pair is measured in octaves and
/// compared with what every order of the capsules, and every one with its polarity turned over, would give. Only what
/// fits far better than the order that was said, and fits well, is told: a field that does not come from everywhere
/// fits nothing. Orders that the array's own symmetry makes alike cannot be told apart: all of the tetrahedron's and of
/// three capsules in a ring. `TurnedOrder` tells those by a device that turns.
package struct CapsuleOrder: Sendable {
    /// Octaves' middles, hertz.
    private static let octaves = [500.0, 1000, 2000, 4000]
    /// Seconds of sound before anything is told.
    package static let patience = 10.0
    /// Root-mean-square deviations of agreement: what is told fits within the first,
    /// what was said not within the second.
    private static let (fits, fails) = (0.08, 0.15)
    /// Seconds that are remembered.
    private static let memory = 20.0

    private let names: [String]
    private let capsules: Int
    private let sampleRate: Double
    private let candidates: [Candidate]
    /// Expected agreements, `[octave][i][j]`.
    private let expected: [[[Double]]]
    /// Filters, `[octave][channel][section]`.
    private var sections: [[[SecondOrderFilter]]]
    /// Mean products, `[octave][i][j]`.
    private var products: [[[Double]]]
    private var seconds = 0.0

    /// An order of the capsules, perhaps with one turned over.
    private struct Candidate: Sendable {
        /// `order[i]`: the capsule that arrives at input i.
        var order: [Int]
        var inverted: Int?
    }

    /// For an array's capsules; nil where there are fewer than three, of which nothing can be told, or more than eight.
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

    /// Hears `frames` frames of each capsule. Cost: eight sections and some products per sample and capsule.
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

    /// What is wrong with the order, once enough was heard; nil while nothing is, or nothing can be told.
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
        // A capsule that is silent agrees with nothing; that is told elsewhere.
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

    /// How far what is heard is from what an order would give, as the root mean square over pairs and octaves.
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

    /// The agreement of each pair in an octave of a diffuse field.
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

    /// All orders of up to four capsules, of more those in which two have changed places;
    /// and every capsule turned over.
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

    /// All orders of some numbers.
    static func permutations(_ numbers: [Int]) -> [[Int]] {
        guard numbers.count > 1 else { return [numbers] }
        return numbers.indices.flatMap { place in
            var rest = numbers
            let first = rest.remove(at: place)
            return permutations(rest).map { [first] + $0 }
        }
    }
}
