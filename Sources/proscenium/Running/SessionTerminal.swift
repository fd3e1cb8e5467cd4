import Desk
import HeadTracking
import Session
import Stages
import Synchronization

/// What the terminal shows of a running session, and what its keys do.
enum SessionTerminal {
    /// A key: what it is for, and what it does.
    struct Key: Sendable {
        /// Characters, any of which is it.
        let keys: String
        let meaning: Meaning
        let help: String

        init(_ keys: String, _ meaning: Meaning, _ help: String) {
            (self.keys, self.meaning, self.help) = (keys, meaning, help)
        }
    }

    /// What a key does.
    enum Meaning: Sendable {
        /// Sends a command.
        case command(SessionCommand)
        /// Gives a parameter a word.
        case word(_ parameter: String, String)
        /// Gives a parameter the first word behind the one it has that is not refused, round and round.
        case next(_ parameter: String, [String])
        /// Moves a parameter by so much.
        case step(_ parameter: String, by: Double)
        /// Chooses the next loudspeaker or group, or the one before.
        case choose(by: Int)
        /// Turns a parameter of the chosen loudspeaker or group over.
        case flip(_ parameter: String)
    }

    /// All keys, in the order of the help.
    static let keys: [Key] = [
        Key(" r", .command(.recentre(.yaw)), "recentres"),
        Key("f", .command(.recentre(.full)), "recentres all axes"),
        Key("d", .word("reference", "device"), "has the stage stay with the device"),
        Key("h", .word("reference", "head"), "has it stay with the head's own tracker"),
        Key("s", .word("reference", "static"), "has it stay with the listener: nothing moves"),
        Key("o", .word("room", "toggle"), "turns the room on and off"),
        Key("p", .command(.playback(.resume)), "goes on after the headphones were gone"),
        Key("+=", .step("monitor-level", by: 1), "turns the ears up by 1 dB"),
        Key("-", .step("monitor-level", by: -1), "turns them down by 1 dB"),
        Key("D", .word("dim", "toggle"), "turns them down or back"),
        Key("m", .word("monitor-mute", "toggle"), "mutes them"),
        Key("M", .word("mono", "toggle"), "has both hear the same"),
        Key(
            "F", .next("fold-down", ["none", "7.1", "5.1", "stereo", "mono"]),
            "folds the stage down further, or not at all"),
        Key("0", .word("compare", "off"), "plays all inputs as they were set"),
        Key("1", .word("compare", "bypass"), "plays them past the stage"),
        Key("2", .word("compare", "fixed"), "on a stage that hangs from the head"),
        Key("3", .word("compare", "tracked"), "on a stage that stands still"),
        Key("5", .word("scene", "a"), "has scene a heard"),
        Key("6", .word("scene", "b"), "scene b"),
        Key("7", .word("scene", "c"), "scene c"),
        Key("8", .word("scene", "d"), "scene d"),
        Key("b", .next("abx", ["off", "ab"]), "begins or ends a blind comparison of scenes a and b"),
        Key("A", .word("abx-listen", "a"), "has its A heard"),
        Key("B", .word("abx-listen", "b"), "its B"),
        Key("X", .word("abx-listen", "x"), "its X"),
        Key(",", .word("abx-answer", "a"), "says that X is A"),
        Key(".", .word("abx-answer", "b"), "that it is B"),
        Key("P", .word("print-bus", "toggle"), "turns the print bus on and off"),
        Key("[", .choose(by: -1), "chooses the loudspeaker or group before"),
        Key("]", .choose(by: 1), "chooses the next"),
        Key("S", .flip("loudspeaker-solo"), "solos it"),
        Key("U", .flip("loudspeaker-mute"), "mutes it"),
        Key("V", .flip("loudspeaker-polarity"), "turns its polarity over"),
        Key("N", .flip("test-noise"), "plays test noise from it"),
        Key("c", .word("solo-clear", "all"), "clears all solos"),
        Key("a", .word("monitor-source", "toggle"), "has the reference heard instead of the stage, or the stage again"),
        Key("t", .word("talkback", "toggle"), "has the talkback heard or not"),
        Key("R", .command(.record(.turn(on: nil))), "begins a take of what the stage plays, or completes it"),
        Key("k", .command(.record(.marker(name: nil))), "sets a marker in it"),
        Key("z", .command(.history(.undo)), "undoes the last change"),
        Key("Z", .command(.history(.redo)), "does it again"),
        Key("q", .command(.quit), "quits"),
    ]

    /// The keys in a sentence, for help texts.
    static var sentence: String {
        keys.map { "\(named($0.keys).joined(separator: " or ")) \($0.help)" }.joined(separator: ", ")
    }

    /// The terminal of a session; to be opened and closed.
    static func terminal(_ live: LiveSession, _ desk: SessionDesk) -> Terminal {
        let chosen = Choice()
        return Terminal {
            StatusText.line(await live.status())
        } takes: { pressed in
            for key in pressed.map({ Character(UnicodeScalar($0)) }) {
                if key == "?" { Terminal.tell(keys.map { "  \(named($0.keys).joined(separator: ", ")): \($0.help)" }) }
                guard let meaning = keys.first(where: { $0.keys.contains(key) })?.meaning else { continue }
                switch commands(meaning, desk.state.state.values, chosen) {
                case .success(let commands): await Terminal.send(firstOf: commands, to: desk.commands)
                case .failure(let remark): Terminal.tell([remark.words])
                }
            }
        }
    }

    /// What is said in place of sending a command.
    struct Remark: Error, Equatable { let words: String }

    /// The loudspeaker or group that keys are for; the first until one is chosen.
    final class Choice: Sendable {
        private let name = Mutex<String?>(nil)

        /// Chooses another of these, round and round.
        func move(by step: Int, among names: [String]) -> String? {
            name.withLock { name in
                guard !names.isEmpty else { return nil }
                let place = name.flatMap(names.firstIndex) ?? (step > 0 ? -1 : 0)
                name = names[(place + step + names.count) % names.count]
                return name
            }
        }

        /// The one among these that is chosen.
        func now(among names: [String]) -> String? {
            name.withLock { $0 }.flatMap { names.contains($0) ? $0 : nil } ?? names.first
        }
    }

    /// The commands of a key where these values are in force, of which the first that is not refused counts; or what is
    /// said in their place.
    static func commands(
        _ meaning: Meaning, _ values: [String: ParameterValue], _ chosen: Choice
    ) -> Result<[SessionCommand], Remark> {
        let names = LoudspeakerGroup.allCases.map(\.rawValue) + loudspeakers(in: values)
        switch meaning {
        case .command(let command): return .success([command])
        case .word(let parameter, let word): return set(parameter, [[word]])
        case .next(let parameter, let words):
            let place = words.firstIndex(of: values[parameter]?.word ?? "") ?? -1
            return set(parameter, (1..<words.count).map { [words[(place + $0) % words.count]] })
        case .step(let parameter, let step):
            return set(parameter, [[String((values[parameter]?.number ?? 0) + step)]])
        case .choose(let step):
            let name = loudspeakers(in: values).isEmpty ? nil : chosen.move(by: step, among: names)
            return .failure(
                Remark(
                    words: name.map { "\($0) is chosen: S, U, V and N are for it" } ?? "there are no loudspeakers here")
            )
        case .flip(let parameter): return set(parameter, [["toggle"]], of: chosen.now(among: names))
        }
    }

    private static func loudspeakers(in values: [String: ParameterValue]) -> [String] {
        values.keys.filter { $0.hasPrefix("loudspeaker/") && $0.hasSuffix("/mute") }
            .map { String($0.dropFirst(12).dropLast(5)) }.sorted()
    }

    /// The commands that give a parameter of the table these values.
    private static func set(
        _ parameter: String, _ values: [[String]], of name: String? = nil
    ) -> Result<[SessionCommand], Remark> {
        do throws(ParameterError) {
            var commands: [SessionCommand] = []
            for words in values { commands.append(.set(try ParameterChange(parameter, words, input: name))) }
            return .success(commands)
        } catch {
            return .failure(Remark(words: error.description))
        }
    }

    private static func named(_ keys: String) -> [String] { keys.map { $0 == " " ? "space" : String($0) } }
}
