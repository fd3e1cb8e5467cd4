import AudioInMemory
import Desk
import Foundation
import HeadTracking
import Racks
import SeededRandom
import SoundFixtures
import Soundstage
import Stages
import Synchronization
import Testing
import Trackers

@testable import AudioIO
@testable import Control
@testable import Session

/// One session and the random acts on it.
final class Soak {
    var chance: SplitMix
    let rig: LiveRig
    let desk: SessionDesk
    let scratch: Scratch
    var model: SoakModel
    var guests: [Guest] = []
    var counts: [String: Int] = [:]
    var log: [String] = []
    var number = 0
    var played = 0.0
    /// Time of the last answer, by the session's clock.
    var doneAt = 0.0
    var burdens: [[Double]] = []

    /// A client with a copy of the state, updated at each look.
    final class Guest {
        let subscription: Subscription
        var told: [String: ParameterValue] = [:]

        init(at desk: SessionDesk) { subscription = Subscription(Set(Subscription.Topic.allCases), at: desk) {} }

        func look() {
            guard let state = subscription.take().state else { return }
            if state.isWhole { told = [:] }
            for (address, value) in state.values { told[address] = value }
        }
    }

    /// A reply that arrives later, and its time.
    final class Answer: Sendable {
        private let given = Mutex<(reply: SessionReply, time: Double)?>(nil)
        var value: (reply: SessionReply, time: Double)? { given.withLock { $0 } }
        func give(_ reply: SessionReply, _ time: Double) { given.withLock { $0 = (reply, time) } }
    }

    init(seed: UInt64) async throws {
        chance = SplitMix(state: seed)
        let (shelf, scratch) = (try PluginShelf.planted(), try Scratch())
        self.scratch = scratch
        let talk = try InputSettings(parsing: "talk=mono")
        let reverb = try EffectSettings(parsing: "reverb=stereo,main=-12")
        try "0,1,0,0,0\n".write(toFile: scratch("head.csv"), atomically: true, encoding: .utf8)
        rig = try await LiveRig { settings in
            settings.stage.shelf = shelf
            settings.stage.programmes.inputs = [talk]
            settings.stage.programmes.effects = [reverb]
            settings.stage.programmes.upmix.mode = .identity
            settings.tracking.head = "file:" + scratch("head.csv")
            settings.recordMotion = scratch("motion.ndjson")
            settings.record = scratch("ears.wav")
        }
        desk = rig.live.environment.desk
        rig.live.sit(at: desk)
        try await rig.patch()
        model = SoakModel(desk.state.state.values, effects: ["reverb"])
    }

    func run(seconds: Double, isLong: Bool) async throws {
        var nextLook = seconds / 60
        while played < seconds {
            try await turn()
            if played >= nextLook {
                burdens.append(try Self.burden())
                nextLook += seconds / 60
            }
        }
        for guest in guests {
            guest.look()
            #expect(guest.told == desk.state.state.values, "a subscriber was told something else")
        }
        guests = []
        try expectNoGrowth(isLong: isLong)
        try await rig.live.end()
        let recorded = scratch.contents.filter { $0.hasSuffix(".wav") }
        #expect(recorded.count == 1 + counts["servers", default: 0] + counts["rates", default: 0])
        #expect(!scratch.contents.contains { $0.hasSuffix(".part") })
        let told = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        let burden = [burdens[burdens.count / 3], burdens[burdens.count - 1]].map { burden in
            "\(burden[0].rounded()) MB, \(Int(burden[1])) descriptors, \(Int(burden[2])) threads"
        }
        let line = "soak: \(Int(played)) s of sound, \(told); after a third \(burden[0]); at the end \(burden[1])\n"
        FileHandle.standardError.write(Data(line.utf8))
        if let report = ProcessInfo.processInfo.environment["PROSCENIUM_SOAK_REPORT"] {
            try line.write(toFile: report, atomically: true, encoding: .utf8)
        }
    }

    /// Compares the least burden in the last third of the samples with that in the second third: temporary use does not
    /// count. In a run of minutes memory may grow more, because another sample rate takes tens of megabytes.
    func expectNoGrowth(isLong: Bool) throws {
        let third = burdens.count / 3
        func least(_ kind: Int, _ part: ArraySlice<[Double]>) -> Double { part.map { $0[kind] }.min() ?? 0 }
        let (middle, last) = (burdens[third..<2 * third], burdens[(2 * third)...])
        #expect(least(0, last) <= least(0, middle) + (isLong ? 16 : 128), "\(burdens.map { Int($0[0]) }) MB")
        #expect(least(1, last) <= least(1, middle) + 2, "\(burdens.map { Int($0[1]) }) descriptors")
        #expect(least(2, last) <= least(2, middle) + 8, "\(burdens.map { Int($0[2]) }) threads")
    }

    /// Returns resident MB, descriptors and threads of this process.
    static func burden() throws -> [Double] {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
        func count(_ folder: String) throws -> Double {
            Double(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/" + folder).count)
        }
        return [(Double(pages) ?? 0) * 4096 / 1_048_576, try count("fd"), try count("task")]
    }

    func turn() async throws {
        switch chance.unit() {
        case ..<0.10: try await turnBack(chance.unit() < 0.6 ? .undo : .redo)
        case ..<0.20: try await changePlugins()
        case ..<0.23: visit()
        case ..<0.25: try await disturb()
        case ..<0.26: try await build()
        case ..<0.28: try await changeScene()
        case ..<0.30: await ask([.status, .loudness(reset: true), .recentre(.yaw), .playback(.resume)])
        default: try await set()
        }
        await play([0.05, 0.2, 0.4, 0.6, 1, 4][Int.random(in: 0..<6, using: &chance)])
        try check()
    }

    func play(_ seconds: Double) async {
        rig.server.play(LiveRig.noise(4800, seed: UInt64(played)), on: "daw:out_1")
        let end = played + seconds
        while played < end - 1e-9 {
            let piece = min(0.2, end - played)
            rig.server.run(seconds: piece)
            _ = rig.server.takeEars(of: "proscenium")
            for port in ["playback_1", "playback_2"] { _ = rig.server.takeArrived(at: "system:" + port) }
            await rig.clock.advance(by: piece)
            played += piece
            // Sound passes faster here than a busy machine writes it to disk.
            for _ in 0..<10_000 where await rig.live.stage.client.recorder?.waitingFrames ?? 0 > 96_000 {
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    func note(_ words: String, _ refusal: String? = nil) {
        log = (log + [words + (refusal.map { " REFUSED: \($0)" } ?? "")]).suffix(12)
    }

    /// Performs a command while sound passes; returns whether it was done.
    func perform(_ command: SessionCommand, _ words: String) async -> Bool {
        let (answer, clock) = (Answer(), rig.clock)
        desk.commands.submit(command) { answer.give($0, clock.now) }
        for _ in 0..<1000 where answer.value == nil { await Task.yield() }
        while answer.value == nil { await play(0.05) }
        for _ in 0..<1000 where await rig.live.staging.transition != nil { await play(0.05) }
        guard let (reply, time) = answer.value else { return false }
        doneAt = time
        if case .refused(let reason) = reply {
            note(words, reason)
            return false
        }
        note(words)
        return true
    }

    func check() throws {
        let wrong = model.differences(from: desk.state.state.values)
        try #require(wrong.isEmpty, "\(wrong) after: \(log.joined(separator: "; "))")
    }
}
