import Desk
import HeadTracking
import Session
import Soundstage
import Stages
import Synchronization

/// Status line and keys of a running session.
enum SessionTerminal {
    /// A key, its action and its help text.
    struct Key: Sendable {
        /// Characters of the key; each has the same action.
        let keys: String
        let meaning: Meaning
        let help: String

        init(_ keys: String, _ meaning: Meaning, _ help: String) {
            (self.keys, self.meaning, self.help) = (keys, meaning, help)
        }
    }

    /// Action of a key.
    enum Meaning: Sendable {
        /// Sends a command.
        case command(SessionCommand)
        /// Sets a parameter to a word.
        case word(_ parameter: String, String)
        /// Sets a parameter to the first word after its present value, cyclically in the list, that the session
        /// accepts.
        case next(_ parameter: String, [String])
        /// Adds a number to a parameter.
        case step(_ parameter: String, by: Double)
        /// Chooses the next loudspeaker or group (1), or the previous one (−1).
        case choose(by: Int)
        /// Toggles a parameter of the chosen loudspeaker or group.
        case flip(_ parameter: String)

        /// Whether the commands of the key depend on the session's values.
        var dependsOnValues: Bool {
            switch self {
            case .command, .word: false
            case .next, .step, .choose, .flip: true
            }
        }
    }

    /// All keys, in the order of the help.
    static let keys: [Key] = [
        Key(" r", .command(.recentre(.yaw)), "recentres"),
        Key("f", .command(.recentre(.full)), "recentres all axes"),
        Key("d", .word("reference", "device"), "keeps the stage with the device"),
        Key("h", .word("reference", "head"), "keeps the stage with the world of the head tracker"),
        Key("s", .word("reference", "static"), "keeps the stage with the listener: nothing moves"),
        Key("o", .word("room", "toggle"), "turns the room on and off"),
        Key("p", .command(.playback(.resume)), "resumes after the headphones were disconnected"),
        Key("+=", .step("monitor-level", by: 1), "raises the level of the ears by 1 dB"),
        Key("-", .step("monitor-level", by: -1), "lowers the level of the ears by 1 dB"),
        Key("D", .word("dim", "toggle"), "dims the ears, or ends the dim"),
        Key("m", .word("monitor-mute", "toggle"), "mutes the ears, or ends the mute"),
        Key("M", .word("mono", "toggle"), "turns mono at both ears on and off"),
        Key(
            "F", .next("fold-down", ["none", "7.1", "5.1", "stereo", "mono"]),
            "plays the next narrower fold-down, or none"),
        Key("0", .word("compare", "off"), "ends a comparison: all inputs as they were set"),
        Key("1", .word("compare", "bypass"), "compares: all inputs past the stage"),
        Key("2", .word("compare", "fixed"), "compares: all inputs on a stage that turns with the head"),
        Key("3", .word("compare", "tracked"), "compares: all inputs on a stage that stands still"),
        Key("5", .word("scene", "a"), "plays scene a"),
        Key("6", .word("scene", "b"), "plays scene b"),
        Key("7", .word("scene", "c"), "plays scene c"),
        Key("8", .word("scene", "d"), "plays scene d"),
        Key("b", .next("abx", ["off", "ab"]), "begins or ends a blind comparison of scenes a and b"),
        Key("A", .word("abx-listen", "a"), "plays A of the blind comparison"),
        Key("B", .word("abx-listen", "b"), "plays B of the blind comparison"),
        Key("X", .word("abx-listen", "x"), "plays X of the blind comparison"),
        Key(",", .word("abx-answer", "a"), "answers that X is A"),
        Key(".", .word("abx-answer", "b"), "answers that X is B"),
        Key("P", .word("print-bus", "toggle"), "turns the print bus on and off"),
        Key("[", .choose(by: -1), "chooses the previous loudspeaker or group"),
        Key("]", .choose(by: 1), "chooses the next loudspeaker or group"),
        Key("S", .flip("loudspeaker-solo"), "solos the chosen one"),
        Key("U", .flip("loudspeaker-mute"), "mutes the chosen one"),
        Key("V", .flip("loudspeaker-polarity"), "inverts the polarity of the chosen one"),
        Key("N", .flip("test-noise"), "plays test noise from the chosen one"),
        Key("c", .word("solo-clear", "all"), "clears all solos"),
        Key("a", .word("monitor-source", "toggle"), "plays the reference instead of the stage, or the stage again"),
        Key("t", .word("talkback", "toggle"), "switches the talkback on or off"),
        Key("R", .command(.record(.turn(on: nil))), "begins a take of what the stage plays, or completes it"),
        Key("k", .command(.record(.marker(name: nil))), "sets a marker in the take"),
        Key("z", .command(.history(.undo)), "undoes the last change"),
        Key("Z", .command(.history(.redo)), "repeats the change that was undone"),
        Key("q", .command(.quit), "quits"),
    ]

    /// All keys in one sentence, for help texts.
    static var sentence: String {
        keys.map { "\(named($0.keys).joined(separator: " or ")) \($0.help)" }.joined(separator: ", ")
    }

    /// Returns the terminal of a session, not yet opened.
    static func terminal(_ live: LiveSession, _ desk: SessionDesk) -> Terminal {
        let chosen = Choice()
        return Terminal {
            StatusText.line(await live.status())
        } takes: { pressed in
            for key in Keys.typed(pressed).map({ Character(UnicodeScalar($0)) }) {
                if key == "?" { Terminal.tell(keys.map { "  \(named($0.keys).joined(separator: ", ")): \($0.help)" }) }
                guard let meaning = keys.first(where: { $0.keys.contains(key) })?.meaning else { continue }
                switch commands(meaning, desk.state.state.values, chosen) {
                case .success(let commands): await Terminal.send(firstOf: commands, to: desk.commands)
                case .failure(let remark): Terminal.tell([remark.words])
                }
            }
        }
    }

    /// Message for the user if no command is sent.
    struct Remark: Error, Equatable { let words: String }

    /// The loudspeaker or group that keys apply to; the first one until another is chosen.
    final class Choice: Sendable {
        private let name = Mutex<String?>(nil)

        /// Chooses the next of these names, or the previous one, cyclically; returns it, nil without names.
        func move(by step: Int, among names: [String]) -> String? {
            name.withLock { name in
                guard !names.isEmpty else { return nil }
                let place = name.flatMap(names.firstIndex) ?? (step > 0 ? -1 : 0)
                name = names[(place + step + names.count) % names.count]
                return name
            }
        }

        /// Returns the chosen name, or the first of `names` if the chosen one is not among them; nil without names.
        func now(among names: [String]) -> String? {
            name.withLock { $0 }.flatMap { names.contains($0) ? $0 : nil } ?? names.first
        }
    }

    /// Returns the commands of a key at the present values, to be sent in turn until one is accepted; or a message in
    /// their place.
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
            guard let now = values[parameter]?.numbers.first else {
                return .failure(Remark(words: "\(parameter) has no value to step from"))
            }
            return set(parameter, [[String(now + step)]])
        case .choose(let step):
            let name = loudspeakers(in: values).isEmpty ? nil : chosen.move(by: step, among: names)
            return .failure(
                Remark(
                    words: name.map { "\($0) is chosen: S, U, V and N apply to it" } ?? "there are no loudspeakers here"
                )
            )
        case .flip(let parameter): return set(parameter, [["toggle"]], of: chosen.now(among: names))
        }
    }

    private static func loudspeakers(in values: [String: ParameterValue]) -> [String] {
        values.keys.compactMap { address in
            if case .loudspeaker(let name, "mute") = StateAddress(address) { name } else { nil }
        }.sorted()
    }

    /// Returns one command per value, each of which sets a parameter of the table.
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
