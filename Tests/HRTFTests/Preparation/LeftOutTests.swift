import Foundation
import Geometry
import SOFA
import Signal
import Testing

@testable import HRTF

/// Errors of the default path at directions that were left out of the set.
@Suite struct LeftOutTests {
    /// Name of a set, spacing of the left-out directions in degrees, and bounds of the errors: critical bands in dB,
    /// interaural delays in µs.
    struct Case: Sendable {
        let name: String
        let apart: Double
        let bands: Double
        let delay: Double
    }
    static let sets = [
        Case(name: "libmysofa-tests__LISTEN_1002_IRC_1002_C_HRIR.sofa", apart: 37, bands: 1.23, delay: 5.8),
        Case(
            name: "libmysofa-tests__CIPIC_subject_003_hrir_final_itdInDelayField.sofa", apart: 13, bands: 0.47, delay: 5
        ),
    ]

    /// Returns directions at least `degrees` degrees apart, in the order of the set.
    private func apart(_ file: FreeFieldHRIR, degrees: Double, from first: Int) -> [Int] {
        var held: [Int] = []
        for index in first..<file.measurementCount
        where held.allSatisfy({ file.directions[$0].angle(to: file.directions[index]) > degrees * .pi / 180 }) {
            held.append(index)
        }
        return held
    }

    /// Choice of the directions of a set that are kept.
    enum Sparse: String, Sendable {
        /// Each next direction is the one farthest from all chosen before, which is nearly symmetric.
        case farthest
        /// Directions nearest to a spiral, no two of which mirror each other.
        case spiral
    }

    private func spread(_ file: FreeFieldHRIR, count: Int, _ kind: Sparse) -> [Int] {
        switch kind {
        case .farthest:
            var chosen = [0]
            var nearest = file.directions.map { $0.angle(to: file.directions[0]) }
            while chosen.count < count {
                let next = nearest.indices.max { nearest[$0] < nearest[$1] } ?? 0
                chosen.append(next)
                for index in nearest.indices {
                    nearest[index] = min(nearest[index], file.directions[index].angle(to: file.directions[next]))
                }
            }
            return chosen.sorted()
        case .spiral:
            let chosen = (0..<count).map { k -> Int in
                let z = 1 - (2 * Double(k) + 1) / Double(count)
                let angle = (Double(k) + 0.5) * .pi * (1 + 5.0.squareRoot())
                let radius = (1 - z * z).squareRoot()
                let unit = SIMD3(radius * cos(angle), radius * sin(angle), z)
                return file.directions.indices.max {
                    (file.directions[$0].unit * unit).sum() < (file.directions[$1].unit * unit).sum()
                } ?? 0
            }
            return Set(chosen).sorted()
        }
    }

    @Test(.enabled(if: DefaultPathTests.folder != nil, DefaultPathTests.absence), arguments: sets)
    func directionsLeftOutArePlayedNearly(_ test: Case) throws {
        try expectNearness(try FilterField.read(try #require(DefaultPathTests.folder) + test.name), test)
    }

    @Test(.enabled(if: Kemar.isHere, Kemar.absence)) func directionsOfKemarLeftOutArePlayedNearly() throws {
        // Delays are compared with stored responses, whose bass is not equalised.
        try expectNearness(try #require(Kemar.file), Case(name: "KEMAR", apart: 12, bands: 0.39, delay: 8.5))
    }

    private func expectNearness(_ file: FreeFieldHRIR, _ test: Case) throws {
        let held = apart(file, degrees: test.apart, from: 3)
        let rest = Set(0..<file.measurementCount).subtracting(held).sorted()
        let (field, _) = try FilterField.prepare(
            file.keeping(rest), sampleRate: try #require(SampleRate(hertz: file.sampleRate)))
        let missed = DefaultPathTests.deviation(file, field, at: held, common: rest)
        #expect(missed.bands < test.bands && missed.delay < test.delay, "\(held.count) left out: \(missed)")
    }

    /// At the same directions a time-aligned spline has errors of 1.90 dB and 11.7 µs (spiral, 25), 1.53 dB and 5.4 µs
    /// (spiral, 50), 2.06 dB and 10.5 µs (farthest, 25), 1.55 dB and 4.8 µs (farthest, 50).
    @Test(
        .enabled(if: DefaultPathTests.folder != nil, DefaultPathTests.absence),
        arguments: [
            (Sparse.spiral, 25, 1.76, 8.5), (.spiral, 50, 1.4, 5.0), (.farthest, 25, 2.04, 8.5),
            (.farthest, 50, 1.48, 5.3),
        ])
    func sparseSetsArePlayedAsBySplines(_ kind: Sparse, _ count: Int, _ bands: Double, _ delay: Double) throws {
        let file = try FilterField.read(
            try #require(DefaultPathTests.folder) + "libmysofa-tests__FHK_HRIR_L2354.sofa")
        let kept = spread(file, count: count, kind)
        let (field, report) = try FilterField.prepare(file.keeping(kept), sampleRate: .studio)
        let others = stride(from: 1, to: file.measurementCount, by: 4).filter { !kept.contains($0) }
        let missed = DefaultPathTests.deviation(file, field, at: others, common: others)
        #expect(missed.bands <= bands && missed.delay <= delay, "\(missed)")
        #expect(kind == .farthest || report.processing.contains { $0.contains("the mirrored other ear") })
    }

    /// Compares reading the grid halfway between its points with the interpolation that fills it.
    @Test(.enabled(if: Kemar.isHere, Kemar.absence)) func theGridRipplesLittle() throws {
        var preparation = try FieldPreparation(try #require(Kemar.file), sampleRate: .cd, options: HRTFOptions())
        let plan = preparation.automaticPlan()
        let (set, alignment) = (preparation.set, preparation.alignment)
        let source = ScatteredResponses(
            directions: set.directions, rows: set.aligned(plan, alignment, of: Array(set.directions.indices)),
            taps: plan.rowTaps, onsets: alignment.onsets, sampleRate: set.sampleRate, model: alignment)
        let method = InterpolationChoice.best(for: source).method
        let (grid, fine) = (RingGrid(stepDegrees: 2), RingGrid(stepDegrees: 1))
        let (rows, arrivals) = GridInterpolation.field(source, on: grid, method)
        let (wanted, onsets) = GridInterpolation.spread(source, to: fine, method)
        let lookup = RingGridLookup(grid)
        defer { lookup.deallocate() }
        let taps = source.taps
        // Below the lowest measured directions, extrapolated responses change faster; those count in `ripples` only.
        var (ripples, delays, measured): ([Double], [Double], [Double]) = ([], [], [])
        for (place, direction) in fine.directions(in: Head.self).enumerated() where place % 37 == 0 {
            let cell = lookup.cell(x: direction.unit.x, y: direction.unit.y, z: direction.unit.z)
            var ears = [[Float]](repeating: [Float](repeating: 0, count: taps), count: 2)
            var delay = SIMD2<Double>.zero
            for corner in 0..<4 {
                let (point, weight) = (Int(cell.points[corner]), cell.weights[corner])
                for ear in 0..<2 {
                    delay[ear] += weight * Double(arrivals[2 * point + ear])
                    for i in 0..<taps { ears[ear][i] += Float(weight) * rows[(2 * point + ear) * taps + i] }
                }
            }
            let start = 2 * place * taps
            let truth = Heard(
                wanted[start..<(start + taps)], wanted[(start + taps)..<(start + 2 * taps)], sampleRate: 44_100)
            let blended = Heard(ears[0], ears[1], sampleRate: 44_100)
            for ear in 0..<2 {
                let differences = zip(truth.bands[ear], blended.bands[ear]).map { abs($0 - $1) }
                ripples += differences
                if direction.elevation > -40 * .pi / 180 { measured += differences }
                delays.append(abs(delay[ear] - Double(onsets[2 * place + ear])) / 44_100 * 1e6)
            }
        }
        ripples.sort()
        measured.sort()
        delays.sort()
        func part(_ values: [Double], _ percent: Int) -> Double { values[values.count * percent / 100] }
        #expect(part(measured, 95) < 0.052, "\(part(measured, 95)) dB")
        #expect(part(measured, 99) < 0.2, "\(part(measured, 99)) dB")
        #expect(measured.reduce(0, +) / Double(measured.count) < 0.02)
        #expect(part(ripples, 95) < 0.11, "\(part(ripples, 95)) dB")
        #expect(part(ripples, 99) < 0.34, "\(part(ripples, 99)) dB")
        #expect(part(delays, 99) < 4, "\(part(delays, 99)) µs")
    }
}
