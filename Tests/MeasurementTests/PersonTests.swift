import AudioIO
import AudioInMemory
import Foundation
import Geometry
import Signal
import Soundstage
import Sweeps
import Synchronization
import Testing

@testable import Measurement

extension SimulatedEars {
    /// A person before loudspeakers: a direct sound at each ear, and a tail that decays.
    fileprivate static func person(
        _ sweeps: PlayedSweeps, layout: Layout, gain: Float = 1, noise: Float = 1e-5
    ) throws -> SimulatedEars {
        try SimulatedEars(sweeps, noise: noise) { signals, yaw, _ in
            let head = Rotation<Head, Stage>(yaw: yaw * .pi / 180)
            var ears = [[Float]](repeating: [Float](repeating: 0, count: signals[0].count), count: 2)
            for (signal, loudspeaker) in zip(signals, layout.loudspeakers) {
                let side = head.inverse(loudspeaker.direction).unit.y
                for ear in 0..<2 {
                    // Half of a sphere's time between the ears at low frequencies; the far ear is a little fainter.
                    let sign = ear == 0 ? 1.0 : -1.0
                    let delay = 400 - sign * 1.5 * 0.0875 / 343 * side * 48_000
                    let level = gain * Float(0.3 + 0.05 * sign * side)
                    let (whole, part) = (Int(delay), Float(delay - Double(Int(delay))))
                    for (tap, weight) in [
                        (whole, 1 - part), (whole + 1, part), (whole + 480, 0.2), (whole + 1100, 0.05),
                    ] {
                        for i in tap..<signal.count { ears[ear][i] += level * weight * signal[i - tap] }
                    }
                }
            }
            return ears
        }
    }
}

@Suite("Measuring a person")
struct PersonTests {
    private static let layout = try! Layout.named("stereo")
    private static let sweeps = try! PlayedSweeps(
        layout, sampleRate: .studio, seconds: 1.5, decay: 0.3, level: -12, isSynchronous: true)

    private static func measurement(_ person: SimulatedEars, in folder: String, looks: [Double], tries: Int = 2)
        -> PersonMeasurement
    {
        let exchange = MemoryExchange(sampleRate: .studio, loudspeakers: ["FL", "FR"]) { signals throws(JACKError) in
            try person.hear(signals)
        }
        return PersonMeasurement(
            exchange: exchange, sweeps: sweeps, folder: MeasurementFolder(folder), looks: looks, mostLevel: -10,
            tries: tries)
    }

    private static func run(_ measurement: PersonMeasurement, _ person: SimulatedEars) async throws -> (
        takes: [String], events: [PersonEvent]
    ) {
        let events = Mutex<[PersonEvent]>([])
        let takes = try await measurement.run(
            ready: { yaw in
                person.prepare(yaw)
                return yaw
            }, look: { person.look() }, goesOn: { true }, tell: { event in events.withLock { $0.append(event) } })
        return (takes, events.withLock { $0 })
    }

    private static func temporary() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("prosc-me-\(UUID().uuidString)").path
    }

    @Test("a file in the folder's place is refused before a sound is played")
    func noFolder() async throws {
        let path = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("text".utf8).write(to: URL(fileURLWithPath: path))
        let person = try SimulatedEars.person(Self.sweeps, layout: Self.layout)
        let error = await #expect(throws: ResponseError.self) {
            try await Self.run(Self.measurement(person, in: path, looks: [0]), person)
        }
        #expect(error?.description.contains("\(path) is no folder that can be read") == true)
        #expect(person.levels.isEmpty)
    }

    @Test(
        "a planted fault is named, and only its take is repeated",
        arguments: [
            SimulatedEars.Fault.clipped, .exchanged, .dropout, .quiet, .noise, .moved, .fainter,
        ])
    func faults(fault: SimulatedEars.Fault) async throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let person = try SimulatedEars.person(Self.sweeps, layout: Self.layout, gain: 10, noise: 1e-4)
        person.plan([1: fault])
        let (takes, events) = try await Self.run(Self.measurement(person, in: folder, looks: [30, 0]), person)
        let refused = events.compactMap { event -> [TakeFault]? in
            if case .refused(let faults) = event { faults } else { nil }
        }
        let words: [SimulatedEars.Fault: String] = [
            .clipped: "clipped", .exchanged: "swapped-ears", .dropout: "dropout", .quiet: "too-quiet", .noise: "noise",
            .moved: "head-moved", .fainter: "unequal-ears",
        ]
        #expect(refused.count == 1 && refused[0].map(\.name).contains(words[fault] ?? ""), "\(refused)")
        #expect(person.takes == 3)
        #expect(takes == ["\(folder)/look_0.wav", "\(folder)/look_30.wav"])
    }

    @Test("a measurement continues after the server is gone, and its takes become a room")
    func continues() async throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let person = try SimulatedEars.person(Self.sweeps, layout: Self.layout)
        person.plan([2: .gone])
        let measurement = Self.measurement(person, in: folder, looks: [0, 30, -30])
        await #expect(throws: JACKError.serverGone) { try await Self.run(measurement, person) }
        #expect(measurement.folder.takes.map(\.yaw) == [0, 30])
        let before = person.levels.count
        let (takes, events) = try await Self.run(measurement, person)
        guard case .resumed(2, 3, .looks) = events[0] else { return #expect(Bool(false), "\(events)") }
        // One take and its prompt, without a search for the level.
        #expect(person.levels.count == before + 2 && takes.count == 3)
        let room = measurement.folder.room
        let report = try ResponseMeasurement(takes: takes, played: .plan(path: measurement.folder.sweeps)).run(
            room: room, head: measurement.folder.ears, replaces: { _ in false }, progress: { _ in true })
        #expect(report.takes.allSatisfy { $0.faults.isEmpty } && report.takes.map(\.yaw) == [-30, 0, 30])
        // A measurement with other sweeps does not continue this one.
        var other = measurement
        other.sweeps = try PlayedSweeps(
            Self.layout, sampleRate: .studio, seconds: 2, decay: 0.2, level: -12, isSynchronous: true)
        await #expect(throws: ResponseError.self) { try await Self.run(other, person) }
    }

    @Test("a gain that was changed before the measurement continues is named against the takes of the folder")
    func gainOfAnotherDay() async throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let person = try SimulatedEars.person(Self.sweeps, layout: Self.layout)
        _ = try await Self.run(Self.measurement(person, in: folder, looks: [0]), person)
        person.plan([:], lasting: .fainter)
        let error = await #expect(throws: ResponseError.self) {
            try await Self.run(Self.measurement(person, in: folder, looks: [0, 30]), person)
        }
        #expect(error?.description.contains("the right ear is") == true)
        #expect(error?.description.contains("than in the other takes") == true)
        #expect(MeasurementFolder(folder).takes.map(\.yaw) == [0])
    }

    @Test("at the person's request a look is recorded anew, its former take set aside, and another one left out")
    func requested() async throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let person = try SimulatedEars.person(Self.sweeps, layout: Self.layout)
        let measurement = Self.measurement(person, in: folder, looks: [0, 30, -30])
        let requests = measurement.requests
        let asked = Mutex<[Double]>([])
        let takes = try await measurement.run(
            ready: { yaw in
                let count = asked.withLock { asked in
                    asked.append(yaw)
                    return asked.count
                }
                if count == 2 { requests.put(.again(0)) }
                if count == 4 { requests.put(.skip(30)) }
                guard !requests.ends(yaw) else { return nil }
                person.prepare(yaw)
                return yaw
            }, look: { person.look() }, goesOn: { true }, tell: { _ in })
        #expect(asked.withLock { $0 } == [0, 30, 0, 30, -30] && person.takes == 3)
        #expect(takes == ["\(folder)/look_-30.wav", "\(folder)/look_0.wav"])
        #expect(FileManager.default.fileExists(atPath: folder + "/look_0_former.wav"))
    }

    @Test("a repeated take that cannot be written leaves the former one counted")
    func repeatedInVain() async throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let person = try SimulatedEars.person(Self.sweeps, layout: Self.layout)
        let measurement = Self.measurement(person, in: folder, looks: [0, 30])
        let requests = measurement.requests
        let asked = Mutex<[Double]>([])
        let error = await #expect(throws: ResponseError.self) {
            try await measurement.run(
                ready: { yaw in
                    let count = asked.withLock { asked in
                        asked.append(yaw)
                        return asked.count
                    }
                    if count == 2 {
                        // A file of the name of the next take, which is at 6°, and is no take of the look at 0°.
                        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/look_6.wav"))
                        requests.put(.again(0))
                        return nil
                    }
                    let turned = count == 3 ? 6 : yaw
                    person.prepare(turned)
                    return turned
                }, look: { person.look() }, goesOn: { true }, tell: { _ in })
        }
        guard case .sound(.exists)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(asked.withLock { $0 } == [0, 30, 0])
        #expect(measurement.folder.takes.map(\.path) == ["\(folder)/look_0.wav", "\(folder)/look_6.wav"])
        #expect(!FileManager.default.fileExists(atPath: folder + "/look_0_former.wav"))
        // The same line goes on with the other look.
        let (takes, _) = try await Self.run(measurement, person)
        #expect(person.takes == 3 && takes.contains("\(folder)/look_30.wav"))
    }

    @Test("a request within a take ends it: the look comes again, or the measurement ends and its good takes stay")
    func requestedInATake() async throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let person = try SimulatedEars.person(Self.sweeps, layout: Self.layout)
        let measurement = Self.measurement(person, in: folder, looks: [0, 30])
        let requests = measurement.requests
        let asked = Mutex<[Double]>([])
        let sounds = Mutex(0)
        await #expect(throws: ResponseError.self) {
            try await measurement.run(
                ready: { yaw in
                    asked.withLock { $0.append(yaw) }
                    person.prepare(yaw)
                    return yaw
                }, look: { person.look() }, goesOn: { true },
                tell: { event in
                    guard case .sounding = event else { return }
                    let number = sounds.withLock { sounds in
                        sounds += 1
                        return sounds
                    }
                    // The first sound finds the level.
                    if number == 2 { requests.put(.again(0)) }
                    if number == 4 { requests.put(.stop) }
                })
        }
        #expect(asked.withLock { $0 } == [0, 0, 30] && requests.isStop)
        #expect(measurement.folder.takes.map(\.yaw) == [0])
    }

    @Test("a take that was set aside under another name is none, and is recorded anew")
    func setAside() async throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let person = try SimulatedEars.person(Self.sweeps, layout: Self.layout)
        let measurement = Self.measurement(person, in: folder, looks: [0, 30])
        _ = try await Self.run(measurement, person)
        for name in ["look_0_bad", "look_old"] {
            try FileManager.default.copyItem(atPath: folder + "/look_0.wav", toPath: "\(folder)/\(name).wav")
        }
        try FileManager.default.removeItem(atPath: folder + "/look_0.wav")
        #expect(measurement.folder.takes.map(\.path) == ["\(folder)/look_30.wav"])
        let (takes, _) = try await Self.run(measurement, person)
        #expect(person.takes == 3)
        #expect(takes == ["\(folder)/look_0.wav", "\(folder)/look_30.wav"])
    }

    @Test("a take is found under the name that it was written by", arguments: [29.44, -15.5, -0.04, 180])
    func names(yaw: Double) throws {
        let path = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let folder = MeasurementFolder(path)
        let silence = [Float](repeating: 0, count: 64)
        let written = try folder.write(
            ExchangedTake(left: silence, right: silence), yaw: yaw, sampleRate: .studio)
        #expect(folder.takes.map(\.path) == [written] && folder.holds(yaw))
    }

    @Test("the level begins at −40 dBFS and stops where the sweeps stand out of the noise, or near full scale")
    func level() async throws {
        func levels(gain: Float, noise: Float) async throws -> [Double] {
            let person = try SimulatedEars.person(Self.sweeps, layout: Self.layout, gain: gain, noise: noise)
            let measurement = Self.measurement(person, in: Self.temporary(), looks: [0])
            _ = try await measurement.level(goesOn: { true }, tell: { _ in })
            return person.levels.map { (20 * log10($0)).rounded() }
        }
        #expect(try await levels(gain: 1, noise: 1e-6) == [-40])
        #expect(try await levels(gain: 1, noise: 3e-4).prefix(3) == [-40, -34, -28])
        // The sound is loud at the ears, so the level is not raised, although the noise is near.
        #expect(try await levels(gain: 40, noise: 3e-2) == [-40])
        // The level never exceeds the user's limit. A sound that is too quiet at the limit is refused.
        await #expect(throws: ResponseError.self) { try await levels(gain: 0.01, noise: 1e-3) }
    }

    @Test("a fault that stays ends the measurement with its name; the good takes stay")
    func stays() async throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let person = try SimulatedEars.person(Self.sweeps, layout: Self.layout)
        person.plan([1: .exchanged, 2: .exchanged, 3: .exchanged])
        let measurement = Self.measurement(person, in: folder, looks: [0, 30])
        await #expect {
            try await Self.run(measurement, person)
        } throws: {
            "\($0)".contains("exchanged")
        }
        #expect(person.takes == 4 && measurement.folder.takes.map(\.yaw) == [0])
    }

    @Test("a folder of other files is refused")
    func others() async throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/notes.txt"))
        let person = try SimulatedEars.person(Self.sweeps, layout: Self.layout)
        await #expect(throws: ResponseError.self) {
            try await Self.run(Self.measurement(person, in: folder, looks: [0]), person)
        }
        #expect(person.levels.isEmpty)
    }
}
