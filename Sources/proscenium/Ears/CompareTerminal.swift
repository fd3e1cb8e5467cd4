import Comparing
import Foundation
import Listening
import Session
import Signal
import Synchronization

/// Input of a comparison's answers: keys at a terminal, else lines of standard input.
final class CompareTerminal: Sendable {
    /// A key: its names, its bytes, its command and its help text.
    private struct Key: Sendable {
        let names: String, bytes: [UInt8], word: EarComparison.Word, help: String
    }

    private static let keys: [Key] = [
        Key(names: "1 or a", bytes: Array("1aA".utf8), word: .listen(.first), help: "plays the first set"),
        Key(names: "2 or b", bytes: Array("2bB".utf8), word: .listen(.second), help: "plays the second set"),
        Key(names: "space", bytes: Array(" ".utf8), word: .again, help: "plays the sound from its beginning"),
        Key(names: "enter", bytes: [10, 13], word: .choose, help: "chooses the set that plays as the better one"),
        Key(names: "u", bytes: Array("uU".utf8), word: .answer(.unsure), help: "answers that you are unsure"),
        Key(names: "q", bytes: Array("qQ".utf8), word: .end, help: "ends and keeps the answers"),
    ]

    /// All keys in one sentence, for help texts.
    static var sentence: String { keys.map { "\($0.names) \($0.help)" }.joined(separator: ", ") }

    private let comparison: EarComparison
    private let hasKeys = Terminal.isOurs(0)
    private let opened = Mutex<(terminal: Terminal?, answering: Task<Void, Never>?)>((nil, nil))
    private let asked = Mutex(0)

    /// Creates the input of a comparison; reads nothing before `open`.
    init(_ comparison: EarComparison) { self.comparison = comparison }

    /// Starts to read answers and to show questions. A second call has no effect.
    func open() async {
        guard opened.withLock({ $0.terminal == nil && $0.answering == nil }) else { return }
        if hasKeys {
            say("all sets are ready, equally loud. Keys: \(Self.sentence)")
            let terminal = Terminal { [comparison] in
                await comparison.status.map(Self.line)
            } takes: { [self] pressed in
                for byte in Keys.typed(pressed) { await take(byte) }
            }
            opened.withLock { $0.terminal = terminal }
            await ask()
            terminal.open()
        } else {
            await ask()
            let (lines, reading) = AsyncStream<String>.makeStream()
            // A thread of its own reads, because regular files and devices cannot be polled as terminals and pipes can.
            // A read that still blocks at the end does not delay the program's exit.
            do throws(WorkerError) {
                try Worker.detach("answers") {
                    while let line = readLine() { reading.yield(line) }
                    reading.finish()
                }
            } catch {
                say("proscenium: answers cannot be read: \(error)")
                reading.finish()
            }
            let answering = Task { [self] in
                for await line in lines { await take(line) }
                // Standard input has ended: no more answers arrive.
                await comparison.quit()
            }
            opened.withLock { $0.answering = answering }
        }
    }

    /// Stops taking answers.
    func close() async {
        let (terminal, answering) = opened.withLock { $0 }
        terminal?.close()
        answering?.cancel()
    }

    private func take(_ byte: UInt8) async {
        if byte == UInt8(ascii: "?") { Terminal.tell(Self.keys.map { "  \($0.names): \($0.help)" }) }
        guard let key = Self.keys.first(where: { $0.bytes.contains(byte) }) else { return }
        await perform(key.word)
    }

    private func take(_ line: String) async {
        let words = line.split(separator: " ").map { $0.lowercased() }
        switch words.first {
        case nil: return
        case "q", "quit": await perform(.end)
        case "repeat": await perform(.again)
        case "listen":
            guard words.count == 2, let sound = ListeningAnswer(written: words[1]), sound != .unsure else {
                return say("'\(line)': listen takes 1 or 2")
            }
            await perform(.listen(sound))
        case let word?:
            guard words.count == 1, let answer = ListeningAnswer(written: word) else {
                return say("'\(line)' is not an answer: 1, 2, u (unsure), 'listen 1', 'listen 2', repeat, or q to end")
            }
            await perform(.answer(answer))
        }
    }

    private func perform(_ word: EarComparison.Word) async {
        let time = ISO8601DateFormatter().string(from: Date())
        if let remark = await comparison.perform(word, at: time) { Terminal.tell([remark]) }
        await ask()
    }

    /// Prints the question, once per round.
    private func ask() async {
        guard let status = await comparison.status else { return }
        let isNew = asked.withLock { asked in
            defer { asked = status.round }
            return asked != status.round
        }
        if isNew { Terminal.tell(["round \(status.round) of at most \(status.rounds): \(status.question)"]) }
    }

    private static func line(_ status: EarComparison.Status) -> StatusLine {
        var line = StatusLine()
        line.add(status.heard == 1 ? "> 1   2" : "  1 > 2", weight: 9)
        line.add("round \(status.round)", weight: 5)
        line.add(status.question, weight: 7)
        line.add("? keys", weight: 1)
        return line
    }
}
