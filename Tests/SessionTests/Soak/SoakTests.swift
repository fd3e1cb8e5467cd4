import CRealtime
import Desk
import Foundation
import HeadTracking
import PlantedPlugins
import Racks
import Rooms
import SeededRandom
import Signal
import SoundFixtures
import Soundstage
import Stages
import Synchronization
import Testing
import Trackers

@testable import AudioIO
@testable import Control
@testable import Session

/// Sessions under random commands of the whole table, on a server in memory that changes, stumbles and goes: the state
/// must be what a model beside it says, after every command and at the end, and nothing may grow.
///
/// Two minutes and a half of sound; under `PROSCENIUM_SOAK=1` two hours, under another number so many seconds.
/// `PROSCENIUM_SEED` chooses other commands. In a process of its own, whose memory no other test uses.
@Suite(.timeLimit(.minutes(180))) struct SoakTests {
    @Test func `Hours of random commands leave the state that they say, and nothing else`() async {
        await #expect(processExitsWith: .success) {
            prc_settle_memory()
            let environment = ProcessInfo.processInfo.environment
            let asked = environment["PROSCENIUM_SOAK"].flatMap { Double($0) }
            let seconds = asked.map { $0 == 1 ? 7200 : $0 } ?? 150
            let seed = environment["PROSCENIUM_SEED"].flatMap { UInt64($0) } ?? 15
            // An error that left this process by itself would be a trap of the runtime's, without a word.
            do {
                let soak = try await Soak(seed: seed)
                try await soak.run(seconds: seconds, isLong: seconds >= 3600)
            } catch {
                let line = "soak, seed \(seed): \(error)\n"
                FileHandle.standardError.write(Data(line.utf8))
                if let report = environment["PROSCENIUM_SOAK_REPORT"] {
                    try? line.write(toFile: report, atomically: true, encoding: .utf8)
                }
                exit(1)
            }
        }
    }
}

/// One session and what is done to it.
private final class Soak {
    private var chance: SplitMix
    private let rig: LiveRig
    private let desk: SessionDesk
    private let scratch: Scratch
    private var model: SoakModel
    private var guests: [Guest] = []
    private var counts: [String: Int] = [:]
    private var log: [String] = []
    private var number = 0
    private var played = 0.0
    /// When the last command was answered, by the session's clock.
    private var doneAt = 0.0
    private var burdens: [[Double]] = []

    /// A client that is told the state, at the moments at which it looks.
    private final class Guest {
        let subscription: Subscription
        var told: [String: ParameterValue] = [:]

        init(at desk: SessionDesk) { subscription = Subscription(Set(Subscription.Topic.allCases), at: desk) {} }

        func look() {
            guard let state = subscription.take().state else { return }
            if state.isWhole { told = [:] }
            for (address, value) in state.values { told[address] = value }
        }
    }

    /// A reply that comes later, and when it came.
    private final class Answer: Sendable {
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

    /// Memory as the least of the second third of the looks and of the last: what comes and goes is none of it. Minutes
    /// are too few for that: another rate takes tens of megabytes more.
    private func expectNoGrowth(isLong: Bool) throws {
        let third = burdens.count / 3
        func least(_ kind: Int, _ part: ArraySlice<[Double]>) -> Double { part.map { $0[kind] }.min() ?? 0 }
        let (middle, last) = (burdens[third..<2 * third], burdens[(2 * third)...])
        #expect(least(0, last) <= least(0, middle) + (isLong ? 16 : 128), "\(burdens.map { Int($0[0]) }) MB")
        #expect(least(1, last) <= least(1, middle) + 2, "\(burdens.map { Int($0[1]) }) descriptors")
        #expect(least(2, last) <= least(2, middle) + 8, "\(burdens.map { Int($0[2]) }) threads")
    }

    /// MB resident, descriptors, threads of this process.
    private static func burden() throws -> [Double] {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
        func count(_ folder: String) throws -> Double {
            Double(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/" + folder).count)
        }
        return [(Double(pages) ?? 0) * 4096 / 1_048_576, try count("fd"), try count("task")]
    }

    // MARK: What is done

    private func turn() async throws {
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

    private func play(_ seconds: Double) async {
        rig.server.play(LiveRig.noise(4800, seed: UInt64(played)), on: "daw:out_1")
        let end = played + seconds
        while played < end - 1e-9 {
            let piece = min(0.2, end - played)
            rig.server.run(seconds: piece)
            _ = rig.server.takeEars(of: "proscenium")
            for port in ["playback_1", "playback_2"] { _ = rig.server.takeArrived(at: "system:" + port) }
            await rig.clock.advance(by: piece)
            played += piece
            // Sound passes faster here than a busy machine writes it down.
            for _ in 0..<10_000 where await rig.live.stage.client.recorder?.waitingFrames ?? 0 > 96_000 {
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    private func note(_ words: String, _ refusal: String? = nil) {
        log = (log + [words + (refusal.map { " REFUSED: \($0)" } ?? "")]).suffix(12)
    }

    /// The rows that can be set while a session runs, but those that have other scenes heard: the model knows of one.
    private static let rows = Parameter.all.filter { $0.group != .scenes || $0.id == "print-bus" }

    /// Whether a command was done. What takes a while is done while sound passes.
    private func perform(_ command: SessionCommand, _ words: String) async -> Bool {
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

    private func ask(_ commands: [SessionCommand]) async {
        guard let command = commands.randomElement(using: &chance) else { return }
        _ = await perform(command, "\(command)")
    }

    private func set() async throws {
        guard let parameter = Self.rows.randomElement(using: &chance), let value = parameter.anyValue(&chance),
            !parameter.takesAWhile || chance.unit() < 0.1
        else { return }
        let names = parameter.isOfInputs ? model.inputs : parameter.isOfLoudspeakers ? model.loudspeakers : []
        let target = chance.unit() < 0.7 ? names.randomElement(using: &chance) : nil
        try await set(ParameterChange(parameter, value, input: target))
    }

    private func set(_ change: ParameterChange) async throws {
        let words =
            "\(change.input ?? "all") \(change.parameter.id) \(change.value.written.joined(separator: " "))"
        let expected = model.after(change)
        if await perform(.set(change), words) {
            var new = try #require(expected, "\(words) is done, and cannot be")
            if change.parameter.rebuildsStage { new.settle(desk.state.state.values) }
            model.note(new, at: doneAt)
            counts["set", default: 0] += 1
        } else {
            counts["refused", default: 0] += 1
        }
        try check()
    }

    /// What a stage is built of, of the rows that take names.
    private static let makings = [
        ("layout", ["stereo", "5.1", "7.1"]), ("hrtf", ["default", "another"]),
        ("room-name", ["none", "none", Shoebox.presets[0].name]),
    ]

    private func build() async throws {
        guard let (name, words) = Self.makings.randomElement(using: &chance), let parameter = Parameter.named(name),
            let word = words.randomElement(using: &chance)
        else { return }
        counts["stages", default: 0] += 1
        try await set(ParameterChange(parameter, .word(word)))
    }

    /// Another scene is heard, one is let go of, or two are compared blind.
    private func changeScene() async throws {
        func say(_ name: String, _ word: String) async throws -> Bool {
            await perform(.set(try ParameterChange(name, [word])), "\(name) \(word)")
        }
        counts["scenes", default: 0] += 1
        let scene = ["a", "b", "c"].randomElement(using: &chance) ?? "a"
        switch chance.unit() {
        case ..<0.5:
            try #require(try await say("scene", scene), "\(log)")
            model.hear(scene, desk.state.state.values)
        case ..<0.8:
            try #require(try await say("scene-clear", scene) == model.clear(scene), "\(log)")
        default:
            let isThere = ["a", "b"].allSatisfy { $0 == model.scene || model.others[$0] != nil }
            try #require(try await say("abx", "ab") == isThere, "\(log)")
            guard isThere else { return }
            for _ in 0..<Int.random(in: 1..<6, using: &chance) {
                try #require(try await say("abx-listen", ["a", "b", "x"].randomElement(using: &chance) ?? "x"))
                await play(0.2)
                try #require(try await say("abx-answer", chance.unit() < 0.5 ? "a" : "b"))
            }
            try #require(try await say("abx", "off"))
            // Which of the two is heard by now cannot be known beforehand.
            let heard = try #require(desk.state.state.values["scene"]?.word)
            try #require(["a", "b"].contains(heard))
            model.hear(heard, desk.state.state.values)
        }
    }

    private func turnBack(_ wish: HistoryCommand) async throws {
        let isDone = await perform(.history(wish), wish.rawValue)
        let was = model.turn(wish, desk.state.state.values)
        // A room that came in the meantime may not be made for where a fold-down would have loudspeakers stand.
        if !isDone, log.last?.contains("the room was made for where it is") == true {
            model.keep("fold-down", as: desk.state.state.values)
        }
        // A value that had not been given before cannot come back, which is refused; the rest is turned back.
        #expect(was || !isDone, "\(wish.rawValue) of nothing: \(log)")
        counts[wish.rawValue, default: 0] += 1
    }

    private func changePlugins() async throws {
        let names = model.plugins
        let act = Int.random(in: names.isEmpty ? 0...0 : names.count > 5 ? 2...4 : 0...4, using: &chance)
        let name = names.randomElement(using: &chance) ?? ""
        counts["plugins", default: 0] += 1
        let gain = Double(Int.random(in: 1...16, using: &chance)) / 8
        switch act {
        case 0, 1:
            number += 1
            let place = ["main", "talk", "ears", "FL"].randomElement(using: &chance) ?? "main"
            let words = "\(place)=\(PlantedPlugins.uri("gain")),name=p\(number),gain=\(gain)"
            let isDone = await perform(.plugin(.add(try PluginRequest(parsing: words), position: nil)), words)
            try #require(isDone, "\(log)")
            let told = desk.state.state.values.filter { $0.key.hasPrefix("plugin/p\(number)/") }
            try #require(told["plugin/p\(number)/set/gain"] == .numbers([gain]), "\(told)")
            let controls = Dictionary(
                uniqueKeysWithValues: told.map { ($0.key.replacing("plugin/p\(number)/", with: ""), $0.value) })
            model.note(model.with("p\(number)", controls), at: doneAt, ofPlugins: true, chains: true)
        case 2:
            try #require(await perform(.plugin(.remove(name)), "remove \(name)"), "\(log)")
            model.note(model.with(name, nil), at: doneAt, ofPlugins: true, chains: true)
        case 3:
            try #require(
                await perform(.plugin(.set(name, symbol: "gain", value: "\(gain)")), "\(name) gain \(gain)"), "\(log)")
            model.note(model.with(name, ["set/gain": .numbers([gain])]), at: doneAt, ofPlugins: true)
        default:
            let isOn = chance.unit() < 0.5
            try #require(await perform(.plugin(.bypass(name, isOn)), "\(name) bypass \(isOn)"), "\(log)")
            model.note(model.with(name, ["bypass": .isOn(isOn)]), at: doneAt, ofPlugins: true)
        }
    }

    private func visit() {
        counts["visits", default: 0] += 1
        if guests.count < 8, chance.unit() < 0.6 { guests.append(Guest(at: desk)) }
        if let index = guests.indices.randomElement(using: &chance) {
            if chance.unit() < 0.5 { guests.remove(at: index) } else { guests[index].look() }
        }
    }

    /// Something happens to the server.
    private func disturb() async throws {
        let rates = [44_100.0, 48_000, 96_000]
        let periods = [64, 128, 256, 1000]
        let period = periods.randomElement(using: &chance) ?? 256
        let hertz = rates.randomElement(using: &chance) ?? 48_000
        let server = rig.server
        switch Int.random(in: 0..<6, using: &chance) {
        case 0:
            server.setPeriod(period)
            note("period \(period)")
        case 1:
            server.loseFrames(1000)
            note("lost frames")
        case 2:
            server.setFreewheel(true)
            await play(0.5)
            server.setFreewheel(false)
            note("freewheel")
        case 3:
            server.hang()
            await rig.clock.advance(by: 0.5)
            server.hang(false)
            note("hung")
        case 4:
            guard await rig.live.status().sampleRate != hertz else { return }
            server.setRate(hertz)
            try await rig.heard { $0.sampleRate == hertz }
            counts["rates", default: 0] += 1
            note("rate \(hertz)")
        default:
            server.shutDown()
            try await rig.heard { $0.serverGoneFor != nil }
            note("server gone")
            await rig.clock.advance(by: 1)
            for _ in 0..<Int.random(in: 0..<4, using: &chance) { try await set() }
            server.comeBack(sampleRate: try #require(SampleRate(hertz: hertz)), period: period)
            server.addClient("daw", outputs: (1...8).map { "out_\($0)" })
            try await rig.comesBack()
            try await rig.heard { $0.serverGoneFor == nil }
            counts["servers", default: 0] += 1
            note("server back at \(hertz)/\(period)")
        }
        counts["disturbances", default: 0] += 1
        // Other scenes and what prints are built anew beside what plays, and are told when they are there: a large room
        // takes this build without optimization a minute.
        for _ in 0..<300_000 where await isReviving {
            await play(0.001)
            try await Task.sleep(for: .milliseconds(1))
        }
        for _ in 0..<10_000 where !model.differences(from: desk.state.state.values).isEmpty {
            await play(0.01)
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    private var isReviving: Bool {
        get async {
            let staging = await rig.live.staging
            return staging.isBusy || !staging.lost.isEmpty || staging.printReturns
        }
    }

    private func check() throws {
        let wrong = model.differences(from: desk.state.state.values)
        try #require(wrong.isEmpty, "\(wrong) after: \(log.joined(separator: "; "))")
    }
}
