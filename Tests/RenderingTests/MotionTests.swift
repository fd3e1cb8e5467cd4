import Foundation
import Geometry
import HRTF
import Signal
import Testing

@testable import Rendering

/// Whether the measures run in their long form, as in `make soak`.
let soak = ProcessInfo.processInfo.environment["PROSCENIUM_SOAK"] == "1"

/// Returns a reference whose filters follow the head at every sample: the field evaluated for each output frame and
/// applied to the whole past, in double precision. One pair of ears per signal.
func perSampleReference(_ signals: [[Float]], _ source: SourcePlacement, _ field: FilterField, degreesPerSecond: Double)
    -> [Ears]
{
    let count = signals[0].count
    var result = signals.map { Ears(left: $0, right: $0) }
    for i in 0..<count {
        let yaw = degreesPerSecond * .pi / 180 * Double(i) / field.sampleRate.hertz
        let (left, right) = field.responses(Rotation<Head, Stage>(yaw: yaw).inverse(source.direction))
        for (index, x) in signals.enumerated() {
            var (l, r) = (0.0, 0.0)
            for k in 0..<min(left.count, i + 1) {
                l += Double(left[k]) * Double(x[i - k])
                r += Double(right[k]) * Double(x[i - k])
            }
            result[index].left[i] = Float(l)
            result[index].right[i] = Float(r)
        }
    }
    return result
}

@Suite struct MotionTests {
    static let front = SourcePlacement(direction: Direction(azimuthDegrees: 0, elevationDegrees: 0))

    @Test(arguments: [64, 128, 256]) func aToneStaysATonePastATurningHead(_ slice: Int) throws {
        let seconds = 10
        let x = sine(1000, seconds * 48_000)
        let periods = soak ? [16, 17, 64, 100, 256, 1000, 1024, 2048] : [16, 100, 256, 2048]
        for period in periods {
            let renderer = try stage(
                [Self.front], slice: slice, poses: turning(degreesPerSecond: 100, seconds: Double(seconds)))
            let ears = render(renderer, [x], periods: [period])
            let worse = max(
                artefactLevel(ears.left, tone: 1000, band: 150, rate: 48_000, dropped: 48_000),
                artefactLevel(ears.right, tone: 1000, band: 150, rate: 48_000, dropped: 48_000))
            #expect(worse <= -80, "slice \(slice), period \(period): \(worse) dB")
            if soak { print("tone, slice \(slice), period \(period): \(worse) dB") }
        }
    }

    /// Filters at rest are played by shorter transforms; the switch must be inaudible.
    @Test(arguments: [64, 128, 256]) func aToneStaysAToneWhereTheHeadStopsAndGoes(_ slice: Int) throws {
        let seconds = 10
        // Half a second each: a rest, then a turn of 25°.
        let entries = (0...(2 * seconds)).map { half in
            PoseLog.Entry(
                seconds: Double(half) / 2, headToStage: Rotation(yaw: Double(half / 2) * 25 * .pi / 180))
        }
        let renderer = try stage([Self.front], slice: slice, poses: .log(try PoseLog(entries)))
        let ears = render(renderer, [sine(1000, seconds * 48_000)], periods: [256])
        let worse = max(
            artefactLevel(ears.left, tone: 1000, band: 150, rate: 48_000, dropped: 48_000),
            artefactLevel(ears.right, tone: 1000, band: 150, rate: 48_000, dropped: 48_000))
        #expect(worse <= -80, "slice \(slice): \(worse) dB")
        if soak { print("stop and go, slice \(slice): \(worse) dB") }
    }

    static let kemar = "/usr/share/libmysofa/default.sofa"

    /// The sphere, and Debian's KEMAR set, prepared as for playback, if it is installed.
    static let fields: [(name: String, field: FilterField)] = {
        var fields = [("sphere", sphere)]
        if let file = try? FilterField.read(kemar),
            let (field, _) = try? FilterField.prepare(file, sampleRate: .studio)
        {
            fields.append(("KEMAR", field))
        }
        return fields
    }()

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: kemar),
            "Debian's measured set is not installed (apt install libmysofa1)"))
    func bothFieldsAreThere() { #expect(Self.fields.count == 2) }

    @Test(arguments: [(100.0, -60.0), (300.0, -45.0)], fields.indices)
    func motionFollowsAFilterThatChangesAtEverySample(_ speed: (Double, Double), _ index: Int) throws {
        try expectMotion(Self.fields[index].name, Self.fields[index].field, speed)
    }

    static let data = ProcessInfo.processInfo.environment["PROSCENIUM_DATA"]

    /// The set with the largest delays that was available. The head turns for half a second from the front on. Most of
    /// the error comes from fades across points of the grid, where the reference has kinks.
    @Test(
        .enabled(if: data != nil, "PROSCENIUM_DATA names no folder with SOFA files"),
        arguments: [(100.0, -59.0), (300.0, -44.0)])
    func motionFollowsOnASetOfALargeHead(_ speed: (Double, Double)) throws {
        let path = "\(try #require(Self.data))/sofa/libmysofa-tests__CIPIC_subject_003_hrir_final_itdInDelayField.sofa"
        let (field, _) = try FilterField.prepare(try FilterField.read(path), sampleRate: .studio)
        try expectMotion("CIPIC 003", field, speed)
    }

    private func expectMotion(_ fieldName: String, _ field: FilterField, _ speed: (Double, Double)) throws {
        let (rate, bound) = speed
        let count = soak ? 96_000 : 24_000
        let signals = [
            ("1 kHz", sine(1000, count)), ("8 kHz", sine(8000, count)), ("pink noise", pinkNoise(count)),
            ("music", musicLike(count)),
        ]
        let references = perSampleReference(signals.map(\.1), Self.front, field, degreesPerSecond: rate)
        for slice in [64, 128, 256] {
            for period in soak ? [16, 64, 100, 1000, 2048] : [100, 2048] {
                for (index, (name, x)) in signals.enumerated() {
                    let renderer = try stage(
                        [Self.front], slice: slice,
                        poses: turning(degreesPerSecond: rate, seconds: Double(count) / 48_000), field: field)
                    let error = render(renderer, [x], periods: [period]).error(against: references[index])
                    let what = "\(fieldName), \(name), slice \(slice), period \(period), \(rate)°/s: \(error) dB"
                    #expect(error <= bound, "\(what)")
                    if soak { print("motion,", what) }
                }
            }
        }
    }

    /// Filters of a motion are made for its fades; none of them remains when the head rests.
    @Test(arguments: [64, 256]) func aHeadThatHasStoppedHearsWhatOneHearsThatNeverMoved(_ slice: Int) throws {
        let x = noise(12_000)
        let log = try PoseLog(
            [(0.0, 0.0), (0.1, 0.5), (0.3, 0.5)].map {
                PoseLog.Entry(seconds: $0.0, headToStage: Rotation(yaw: $0.1))
            })
        let moved = render(try stage([Self.front], slice: slice, poses: .log(log)), [x], periods: [slice])
        let still = render(
            try stage([Self.front], slice: slice, poses: .fixed(Rotation(yaw: 0.5))), [x], periods: [slice])
        func end(_ ears: Ears) -> Ears { Ears(left: Array(ears.left[6500...]), right: Array(ears.right[6500...])) }
        #expect(end(moved).error(against: end(still)) <= -110)
    }

    @Test(arguments: [
        (30.0, 0.0, 30.0, 0.0, 0.0), (-120, 0, -120, 0, 0), (180, 0, 180, 0, 0), (0, 40, 0, 40, 0),
        (0, -25, 0, -25, 0), (75, 30, 75, 30, 0), (0, 0, 0, 0, 90),
    ])
    func aSourceTheHeadTurnsToSoundsFromTheFront(
        _ azimuth: Double, _ elevation: Double, _ yaw: Double, _ pitch: Double, _ roll: Double
    ) throws {
        let x = noise(4000)
        let degrees = Double.pi / 180
        let source = SourcePlacement(direction: Direction(azimuthDegrees: azimuth, elevationDegrees: elevation))
        let pose = Rotation<Head, Stage>(yaw: yaw * degrees, pitch: pitch * degrees, roll: roll * degrees)
        let turned = render(try stage([source], poses: .fixed(pose)), [x], periods: [64])
        let still = render(try stage([Self.front]), [x], periods: [64])
        #expect(turned.error(against: still) <= -90)
    }

    @Test func rollingTheRightEarDownBringsASourceBelowToIt() throws {
        // Right ear down by 90°: a source below the head is now at its right.
        let below = SourcePlacement(direction: Direction(azimuthDegrees: 0, elevationDegrees: -90))
        let right = SourcePlacement(direction: Direction(azimuthDegrees: -90, elevationDegrees: 0))
        let x = noise(4000)
        let rolled = render(try stage([below], poses: .fixed(Rotation(yaw: 0, roll: .pi / 2))), [x], periods: [64])
        let still = render(try stage([right]), [x], periods: [64])
        #expect(rolled.error(against: still) <= -90)
    }

    @Test func lookingLeftBringsAFrontalSourceToTheRightEar() throws {
        let x = noise(4000)
        let ears = render(try stage([Self.front], poses: .fixed(Rotation(yaw: 1))), [x], periods: [64])
        let (left, right) = (ears.left.map { $0 * $0 }.reduce(0, +), ears.right.map { $0 * $0 }.reduce(0, +))
        #expect(right > 1.5 * left)
    }

    @Test func fixedSourcesIgnoreTheHead() throws {
        var source = Self.front
        source.motion = .fixed
        let x = noise(4000)
        let turned = render(try stage([source], poses: turning(degreesPerSecond: 200, seconds: 1)), [x], periods: [64])
        #expect(turned.isIdentical(to: render(try stage([source]), [x], periods: [64])))
    }

    @Test func livePosesApplyOnlyToLivePeriodsAndForTheTimeTheyAreHeard() throws {
        let x = noise(4800)
        let forecast = PoseForecast(
            pose: Rotation(yaw: 0.2), rate: SIMD3(0, 0, 1), time: 100, horizon: 1)
        let offline = try stage([Self.front], poses: .mailbox)
        offline.mailbox.store(forecast)
        #expect(
            render(offline, [x], periods: [64]).isIdentical(to: render(try stage([Self.front]), [x], periods: [64])))
        let live = try stage([Self.front], poses: .mailbox)
        live.mailbox.store(forecast)
        let heard = render(
            live, [x], periods: [128],
            time: { PeriodTime(live: true, heardAt: 100 + Double($0) / 48_000) })
        let log = try PoseLog(
            (0...110).map { i in
                PoseLog.Entry(seconds: Double(i) / 1000, headToStage: Rotation(yaw: 0.2 + Double(i) / 1000))
            })
        let logged = render(try stage([Self.front], poses: .log(log)), [x], periods: [128])
        #expect(heard.error(against: logged) < -110)
        // The last fade ends at frame 4864.
        let pose = try #require(live.telemetry()).headToStage
        #expect(abs(pose.yaw - (0.2 + 4864 / 48_000)) < 1e-6)
    }

    @Test(arguments: [64, 256]) func recordedPosesRenderTheSameMotionAgain(_ slice: Int) throws {
        let x = noise(9728)
        let renderer = try stage([Self.front], slice: slice, poses: .mailbox)
        renderer.recordPoses(capacity: 1000)
        // A live tracker whose forecasts change at every period.
        let original = render(
            renderer, [x], periods: [100], time: { PeriodTime(live: true, heardAt: Double($0) / 48_000) },
            between: { frame in
                let t = Double(frame) / 48_000
                renderer.mailbox.store(
                    PoseForecast(
                        pose: Rotation(yaw: sin(9 * t), pitch: 0.3 * sin(5 * t)), rate: SIMD3(0, 0.1, 2), time: t,
                        horizon: 0.1))
            })
        let records = renderer.drainPoses()
        let fade = 128
        #expect(records.count == 1 + 9728 / fade && records.last?.streamFrame == 9728)
        #expect(records.first?.streamFrame == 0 && renderer.drainPoses().isEmpty)
        let log = try PoseLog(
            records.map {
                PoseLog.Entry(seconds: Double($0.streamFrame) / 48_000, headToStage: Rotation($0.headToStage))
            })
        let replayed = render(try stage([Self.front], slice: slice, poses: .log(log)), [x], periods: [100])
        #expect(replayed.error(against: original) < -120)
    }

    @Test(arguments: [64, 128, 256]) func whateverATrackerSaysTheStageStepsByLessThanADegreeIn64Frames(_ slice: Int)
        throws
    {
        let renderer = try stage([Self.front], slice: slice, poses: .mailbox)
        renderer.recordPoses(capacity: 2000)
        // A head that jumps at every period, and finally rests.
        let last = Rotation<Head, Stage>(yaw: 1, pitch: 0.5)
        _ = render(
            renderer, [noise(96_000)], periods: [100],
            time: { PeriodTime(live: true, heardAt: Double($0) / 48_000) },
            between: { frame in
                let n = Double(frame)
                let pose = Rotation<Head, Stage>(yaw: 3 * sin(n), pitch: 1.5 * sin(2 * n), roll: 3 * sin(3 * n))
                renderer.mailbox.store(.still(frame < 48_000 ? pose : last))
            })
        let poses = renderer.drainPoses().map(\.headToStage)
        let steps = zip(poses, poses.dropFirst()).map { $0.angle(to: $1) * 180 / .pi }
        let largest = try #require(steps.max())
        // Fades last 128 frames, so a step may have twice the bound for 64.
        #expect(largest < 2 && largest > 1.8)
        #expect(poses.last == last.quaternion)
    }

    @Test func poseLogsThatMakeNoSenseAreRefused() {
        #expect(throws: RenderingError.emptyPoseLog) { try PoseLog([]) }
        #expect(throws: RenderingError.posesOutOfOrder(row: 1, seconds: 1)) {
            try PoseLog(rows: [(1, .identity), (1, .identity)])
        }
        #expect(throws: RenderingError.unusablePose(row: 1)) {
            try PoseLog(rows: [(1, .identity), (2, Quaternion(w: 0, x: 0, y: 0, z: 0))])
        }
        #expect(throws: RenderingError.unusablePose(row: 0)) {
            try PoseLog(rows: [(.nan, .identity)])
        }
    }
}
