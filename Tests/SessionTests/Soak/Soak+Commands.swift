import AudioInMemory
import Desk
import PlantedPlugins
import Racks
import Rooms
import SeededRandom
import Signal
import Stages
import Testing

@testable import AudioIO
@testable import Session

/// Random acts, and their effect on the model.
extension Soak {
    /// Parameters that `set` chooses from: all that can be set while a session runs, but those that `changeScene` sets.
    static let rows = Parameter.all.filter { $0.group != .scenes || $0.id == "print-bus" }

    func set() async throws {
        guard let parameter = Self.rows.randomElement(using: &chance), let value = parameter.anyValue(&chance),
            !parameter.takesAWhile || chance.unit() < 0.1
        else { return }
        let names = parameter.isOfInputs ? model.inputs : parameter.isOfLoudspeakers ? model.loudspeakers : []
        let target = chance.unit() < 0.7 ? names.randomElement(using: &chance) : nil
        try await set(ParameterChange(parameter, value, input: target))
    }

    func set(_ change: ParameterChange) async throws {
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

    func ask(_ commands: [SessionCommand]) async {
        guard let command = commands.randomElement(using: &chance) else { return }
        _ = await perform(command, "\(command)")
    }

    /// Values of the parameters, among those with names, that a stage is built from.
    static let makings = [
        ("layout", ["stereo", "5.1", "7.1"]), ("hrtf", ["default", "another"]),
        ("room-name", ["none", "none", Shoebox.presets[0].name]),
    ]

    func build() async throws {
        guard let (name, words) = Self.makings.randomElement(using: &chance), let parameter = Parameter.named(name),
            let word = words.randomElement(using: &chance)
        else { return }
        counts["stages", default: 0] += 1
        try await set(ParameterChange(parameter, .word(word)))
    }

    /// Makes another scene heard, clears one, or compares two blind.
    func changeScene() async throws {
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
            // The scene that is heard after the comparison cannot be predicted.
            let heard = try #require(desk.state.state.values["scene"]?.word)
            try #require(["a", "b"].contains(heard))
            model.hear(heard, desk.state.state.values)
        }
    }

    func turnBack(_ request: SessionCommand.History) async throws {
        let isDone = await perform(.history(request), request.rawValue)
        let was = model.turn(request, desk.state.state.values)
        // A room that was set in the meantime may not be made for the loudspeakers of an earlier fold-down.
        if !isDone, log.last?.contains("the room was made for its present direction") == true {
            model.keep("fold-down", as: desk.state.state.values)
        }
        // A value that was absent before cannot be restored, which is refused; the rest is undone.
        #expect(was || !isDone, "\(request.rawValue) of nothing: \(log)")
        counts[request.rawValue, default: 0] += 1
    }

    func changePlugins() async throws {
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

    func visit() {
        counts["visits", default: 0] += 1
        if guests.count < 8, chance.unit() < 0.6 { guests.append(Guest(at: desk)) }
        if let index = guests.indices.randomElement(using: &chance) {
            if chance.unit() < 0.5 { guests.remove(at: index) } else { guests[index].look() }
        }
    }

    /// Disturbs the server at random.
    func disturb() async throws {
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
        // Other scenes and the print bus are rebuilt beside the playing stage, and published when ready. For a large
        // room an unoptimised build takes a minute.
        for _ in 0..<300_000 where await isReviving {
            await play(0.001)
            try await Task.sleep(for: .milliseconds(1))
        }
        for _ in 0..<10_000 where !model.differences(from: desk.state.state.values).isEmpty {
            await play(0.01)
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    var isReviving: Bool {
        get async {
            let staging = await rig.live.staging
            return staging.isBusy || !staging.lost.isEmpty || staging.printReturns
        }
    }
}
