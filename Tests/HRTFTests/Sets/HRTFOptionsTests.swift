import Foundation
import Geometry
import SOFA
import Signal
import Testing

@testable import HRTF

/// Options of a set's preparation, and their effects.
@Suite struct HRTFOptionsTests {
    /// The generated set with a third of its directions: enough for these tests, and prepared quickly.
    private static let generated = Result {
        let file = try FilterField.read(Sources.catalogue + "/generated.sofa")
        return file.keeping(Array(stride(from: 0, to: file.measurementCount, by: 3)))
    }

    private static func prepare(
        _ file: FreeFieldHRIR, _ change: (inout HRTFOptions) -> Void
    ) throws -> (field: FilterField, report: HRTFReport) {
        var options = HRTFOptions()
        change(&options)
        let rate = try #require(SampleRate(hertz: file.sampleRate))
        return try FilterField.prepare(file, sampleRate: rate, options: options)
    }

    /// Directions all around, about 20° apart.
    private static let around: [Direction<Head>] = RingGrid(stepDegrees: 20).directions(in: Head.self)

    /// Returns the mean level of both ears over all directions at a frequency, dB.
    private static func diffuse(_ field: FilterField, at frequency: Double) -> Double {
        let powers = around.map { direction in
            let heard = field.heard(direction, count: 2048)
            return (pow(10, heard.level(0, at: frequency) / 10) + pow(10, heard.level(1, at: frequency) / 10)) / 2
        }
        return 10 * log10(powers.reduce(0, +) / Double(powers.count))
    }

    @Test(.enabled(if: Kemar.isHere, Kemar.absence))
    func theDiffuseFieldIsLeftAloneWhereThatIsAsked() throws {
        let file = try #require(Kemar.file)
        let (left, report) = try Self.prepare(file) { $0.diffuseField = .off }
        let (usual, _) = try #require(Kemar.automatic)
        #expect(report.processing.contains { $0.contains("no diffuse-field equalisation, as requested") })
        // Response of this set's loudspeaker and ear canal: some 15 dB at 2…4 kHz.
        #expect(Self.diffuse(left, at: 2800) - Self.diffuse(left, at: 700) > 9)
        #expect(abs(Self.diffuse(usual, at: 2800) - Self.diffuse(usual, at: 700)) < 3)
    }

    @Test func theDiffuseFieldIsEqualisedWhereThatIsAsked() throws {
        let sphere = FilterField.sphere(sampleRate: .studio)
        let directions: [Direction<Head>] = RingGrid(stepDegrees: 15).directions(in: Head.self)
        let responses = directions.flatMap { direction in
            let (left, right) = sphere.responses(direction)
            return [left, right].flatMap { ($0 + [Float](repeating: 0, count: 192)).prefix(192) }
        }
        let file = FreeFieldHRIR(
            path: "sphere", attributes: [:], sampleRate: 48_000, sampleCount: 192, directions: directions,
            distances: directions.map { _ in 1.5 }, responses: responses,
            delays: [Double](repeating: 0, count: 2 * directions.count))
        let (before, left) = try Self.prepare(file) { $0.diffuseField = .off }
        let (field, report) = try Self.prepare(file) { $0.diffuseField = .on }
        #expect(!left.processing.contains { $0.contains("diffuse-field equalisation:") })
        #expect(report.processing.contains { $0.contains("diffuse-field equalisation:") })
        let (old, new) = (
            Self.diffuse(before, at: 8000) - Self.diffuse(before, at: 500),
            Self.diffuse(field, at: 8000) - Self.diffuse(field, at: 500)
        )
        #expect(abs(new) < 0.3 && abs(old) > 2 * abs(new), "\(old) dB, \(new) dB")
    }

    @Test(.enabled(if: Kemar.isHere, Kemar.absence))
    func theBassIsLeftAloneWhereThatIsAsked() throws {
        let (field, report) = try Self.prepare(try #require(Kemar.file)) { $0.bass = .off }
        #expect(report.processing.contains { $0.contains("no low-frequency extension, as requested") })
        let front = field.heard(Direction(azimuthDegrees: 0, elevationDegrees: 0), count: 4096)
        let usual = try #require(Kemar.automatic).0.heard(
            Direction(azimuthDegrees: 0, elevationDegrees: 0), count: 4096)
        let missing = usual.level(0, at: 40) - front.level(0, at: 40)
        #expect(missing > 8, "\(missing) dB")
    }

    @Test func aSphereTakesTheBassOverWhereThatIsAsked() throws {
        let (_, report) = try Self.prepare(try Self.generated.get()) { $0.bass = .on }
        #expect(report.processing.contains { $0.contains("a rigid sphere below 90…") }, "\(report.processing)")
    }

    @Test(.enabled(if: Kemar.isHere, Kemar.absence))
    func minimumPhaseKeepsDelaysAndLevels() throws {
        let file = try #require(Kemar.file)
        let (field, report) = try Self.prepare(file) { $0.phase = .minimum }
        let (usual, _) = try #require(Kemar.automatic)
        var (delay, bands, lead) = (0.0, 0.0, 0.0)
        let some = stride(from: 0, to: file.measurementCount, by: 7).map { file.directions[$0] }
        for direction in some {
            let (a, b) = (usual.heard(direction), field.heard(direction))
            delay += abs(a.interauralDelay - b.interauralDelay) * 1e6
            for ear in 0..<2 { bands += CriticalBands.distance(a.bands[ear], b.bands[ear]) / 2 }
            let (before, after) = (usual.responses(direction).left, field.responses(direction).left)
            lead += Self.centroid(before) - Self.centroid(after)
        }
        let count = Double(some.count)
        // Onsets are measured by the detector that also aligned the responses.
        #expect(delay / count < 3, "\(delay / count) µs")
        #expect(bands / count < 0.25, "\(bands / count) dB")
        // Minimum phase: the energy comes earlier than in the stored responses.
        #expect(lead / count > 0, "\(lead / count) samples")
        #expect(report.processing.contains { $0.contains("minimum phase") }, "\(report.processing)")
    }

    /// Returns the centroid of a response's energy, samples after its onset (a tenth of the peak).
    private static func centroid(_ response: [Float]) -> Double {
        let energies = response.map { Double($0) * Double($0) }
        let peak = energies.max() ?? 0
        let onset = energies.firstIndex { $0 > 0.01 * peak } ?? 0
        let sum = energies.reduce(0, +)
        return zip(energies.indices, energies).reduce(0) { $0 + Double($1.0) * $1.1 } / sum - Double(onset)
    }

    @Test(arguments: [50.0, 57, 64])
    func interauralDelaysScaleWithTheHead(_ circumference: Double) throws {
        let file = try Self.generated.get()
        let (usual, _) = try Self.prepare(file) { _ in }
        let (field, report) = try Self.prepare(file) { $0.headCircumference = circumference }
        let wanted = HeadSize.radius(circumference: circumference) / report.headRadius
        // Slopes through 0 over directions, of onsets and of phase delays at 200…500 Hz; and the largest change of
        // levels.
        var (onsets, phases, bands) = ((0.0, 0.0), (0.0, 0.0), 0.0)
        for direction in Self.around where abs(direction.unit.y) > 0.2 {
            let (a, b) = (usual.heard(direction), field.heard(direction))
            onsets.0 += a.interauralDelay * b.interauralDelay
            onsets.1 += a.interauralDelay * a.interauralDelay
            let (p, q) = (Self.lowDelay(usual, direction), Self.lowDelay(field, direction))
            phases.0 += p * q
            phases.1 += p * p
            for ear in 0..<2 { bands = max(bands, CriticalBands.distance(a.bands[ear], b.bands[ear])) }
        }
        #expect(abs(onsets.0 / onsets.1 / wanted - 1) < 0.02, "\(onsets.0 / onsets.1) where \(wanted) is wanted")
        // About a tenth of the phase delay is due to the torso and the outer ears, which do not scale with the head.
        #expect(abs(phases.0 / phases.1 / wanted - 1) < 0.03, "\(phases.0 / phases.1) where \(wanted) is wanted")
        #expect(bands < 0.1, "\(bands) dB")
        #expect(report.processing.contains { $0.contains("a head of \(circumference) cm") })
    }

    /// Returns the interaural delay by the phase at 200…500 Hz, seconds.
    private static func lowDelay(_ field: FilterField, _ direction: Direction<Head>) -> Double {
        let (left, right) = field.responses(direction)
        var real = left.map(Double.init) + [Double](repeating: 0, count: 2048 - left.count)
        var imaginary = right.map(Double.init) + [Double](repeating: 0, count: 2048 - right.count)
        FourierTransform(minimumCount: 2048).forward(&real, &imaginary)
        var ears = EarSpectra(binCount: 1025)
        ears.separate(real, imaginary)
        let binHz = field.sampleRate.hertz / 2048
        var (slope, square) = (0.0, 0.0)
        for bin in Int(200 / binHz)...Int(500 / binHz) {
            let cross = ears.cross(bin)
            slope -= Double(bin) * atan2(cross.imaginary, cross.real)
            square += Double(bin * bin)
        }
        return slope / square / (2 * .pi * binHz)
    }

    @Test func whateverIsChosenIsAsLoud() throws {
        let file = try Self.generated.get()
        let changes: [(inout HRTFOptions) -> Void] = [
            { _ in }, { $0.diffuseField = .off }, { $0.bass = .on }, { $0.phase = .minimum },
            { $0.headCircumference = 64 }, { $0.distance = 0.3 },
        ]
        let levels = try changes.map { change in
            let (field, _) = try Self.prepare(file, change)
            let loudness = EarLoudness(taps: 1024, sampleRate: field.sampleRate.hertz)
            let energies = StageLevel.azimuths.map { azimuth in
                let ears = field.responses(Direction(azimuthDegrees: azimuth, elevationDegrees: 0))
                return loudness.energy(left: ears.left, right: ears.right)
            }
            return 10 * log10(energies.reduce(0, +))
        }
        #expect((levels.max() ?? 0) - (levels.min() ?? 0) < 0.2, "\(levels) dB")
    }

    @Test func aHeadWithoutDelaysTakesThoseOfASphere() throws {
        var file = try Self.generated.get()
        // Both ears have the left ear's response.
        for index in 0..<file.measurementCount {
            let start = 2 * index * file.sampleCount
            for i in 0..<file.sampleCount {
                file.responses[start + file.sampleCount + i] = file.responses[start + i]
            }
        }
        let (field, _) = try Self.prepare(file) { $0.headCircumference = 57 }
        let side = field.heard(Direction(azimuthDegrees: 90, elevationDegrees: 0))
        #expect(side.interauralDelay < -500e-6, "\(side.interauralDelay)")
    }

    @Test func choicesThatTakeEachOtherBackAreRefused() throws {
        let changes: [(inout HRTFOptions) -> Void] = [
            { $0.diffuseField = .on }, { $0.bass = .on }, { $0.phase = .minimum }, { $0.headCircumference = 57 },
            { $0.distance = 0.5 },
        ]
        for change in changes {
            var options = HRTFOptions(processing: .none)
            change(&options)
            #expect(throws: HRTFError.self) { try options.check() }
            options.processing = .automatic
            try options.check()
        }
        var options = HRTFOptions(processing: .none)
        (options.diffuseField, options.bass) = (.off, .off)
        try options.check()
        for size in [47.9, 66.1, .nan] {
            var options = HRTFOptions()
            options.headCircumference = size
            #expect(throws: HRTFError.self) { try options.check() }
        }
        for distance in [0.1, 25, .infinity] {
            var options = HRTFOptions()
            options.distance = distance
            #expect(throws: HRTFError.self) { try options.check() }
        }
    }

    @Test func otherChoicesAreKeptUnderOtherNames() {
        let changes: [(inout HRTFOptions) -> Void] = [
            { _ in }, { $0.processing = .none }, { $0.diffuseField = .on }, { $0.diffuseField = .off },
            { $0.bass = .on }, { $0.bass = .off }, { $0.phase = .minimum }, { $0.headCircumference = 57 },
            { $0.headCircumference = 58 }, { $0.distance = 0.5 }, { $0.distance = 0.25 },
            { $0.sourceDistances = [0.5] },
        ]
        let words = changes.map { change in
            var options = HRTFOptions()
            change(&options)
            return options.word
        }
        #expect(Set(words).count == words.count)
    }

    @Test func everyOptionIsPartOfTheNameOfAPreparedSet() {
        let options = HRTFOptions()
        for option in Mirror(reflecting: options).children {
            let label = option.label ?? "?"
            #expect(options.word.contains("\(label): "), "\(label) is missing in \(options.word)")
        }
    }
}
