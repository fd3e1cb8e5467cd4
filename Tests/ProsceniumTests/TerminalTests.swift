import Desk
import Foundation
import HeadTracking
import Session
import SoundFixtures
import Synchronization
import Testing

@testable import proscenium

/// The keyboard while something plays.
@Suite struct TerminalTests {
    /// In an earlier version a task for each read passed the keys on, in any order, and the end of the keyboard was
    /// read again and again.
    @Test func keysAreHandedOnInOrderUntilTheKeyboardEnds() async {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        defer { close(ends[0]) }
        let heard = Mutex<[UInt8]>([])
        let keys = Keys(of: ends[0]) { pressed in
            await Task.yield()
            heard.withLock { $0 += pressed }
        }
        var sent: [UInt8] = []
        for number in 0..<100 {
            var key = UInt8(number)
            sent.append(key)
            write(ends[1], &key, 1)
            if number % 10 == 9 { try? await Task.sleep(for: .milliseconds(1)) }
        }
        close(ends[1])
        // The reading ends by itself, before it is cancelled.
        await keys.handing.value
        keys.cancel()
        #expect(heard.withLock { $0 } == sent)
    }

    /// If a descriptor is closed during reading, its number may belong to another file at the next read. A child
    /// process can still have the keyboard open; in an earlier version its bytes then caused a read of the other file.
    @Test func aKeyboardClosedUnderItsReaderTakesNothingFromAnotherFile() async throws {
        var (ends, others): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        pipe(&ends)
        pipe(&others)
        // The copy stands for that of a child process; without it the keyboard would end here.
        let held = dup(ends[0])
        let heard = Mutex<[UInt8]>([])
        let keys = Keys(of: ends[0]) { pressed in heard.withLock { $0 += pressed } }
        // `dup2` replaces the file in one step, so that the number is never free for other tests.
        dup2(others[0], ends[0])
        write(others[1], "file", 4)
        write(ends[1], "key", 3)
        for _ in 0..<3000 where heard.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(10)) }
        keys.cancel()
        #expect(heard.withLock { $0 } == Array("key".utf8))
        var left = [UInt8](repeating: 0, count: 8)
        #expect(fcntl(others[0], F_SETFL, O_NONBLOCK) == 0 && read(others[0], &left, left.count) == 4)
        for end in ends + others + [held] { close(end) }
    }

    /// Bytes that are waiting when the other end closes are reported together with the hang-up, in one last event.
    @Test func keysBehindAHangUpAreRead() async {
        for _ in 0..<20 {
            var ends: [Int32] = [-1, -1]
            pipe(&ends)
            let sent = [UInt8](repeating: 7, count: 1000)
            write(ends[1], sent, sent.count)
            close(ends[1])
            let heard = Mutex<[UInt8]>([])
            let keys = Keys(of: ends[0]) { pressed in heard.withLock { $0 += pressed } }
            await keys.handing.value
            keys.cancel()
            close(ends[0])
            #expect(heard.withLock { $0 } == sent)
        }
    }

    /// The terminal is not the one from which this process was started.
    @Test func aTerminalGivesItsKeysAndHasItsStateBack() async throws {
        let fingers = PseudoTerminal()
        let keyboard = open(fingers.path, O_RDWR | O_NOCTTY)
        try #require(keyboard >= 0)
        defer {
            close(keyboard)
            fingers.unplug()
        }
        func isEchoing() -> Bool {
            var state = termios()
            tcgetattr(keyboard, &state)
            return state.c_lflag & tcflag_t(ECHO) != 0
        }
        try #require(isatty(keyboard) == 1 && isEchoing())
        let heard = Mutex<[UInt8]>([])
        let terminal = Terminal(line: { nil }, keyboard: keyboard) { pressed in heard.withLock { $0 += pressed } }
        terminal.open()
        #expect(!isEchoing())
        // The key is read without a return after it.
        fingers.say("p")
        for _ in 0..<3000 where heard.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(10)) }
        #expect(heard.withLock { $0 } == Array("p".utf8))
        terminal.close()
        #expect(isEchoing())
    }

    /// In an earlier version the arrow keys dimmed the ears and chose loudspeakers, and F3 began a recording.
    @Test func arrowsAndFunctionKeysAreNotTheirLetters() {
        // Up, Left with Ctrl, F3 as ESC O R, F3 of the Linux console, Delete, PageUp, F4 with a modifier.
        let sequences = ["[A", "[1;5D", "OR", "[[C", "[3~", "[5~", "O2S"].map { "\u{1B}" + $0 }
        for sequence in sequences { #expect(Keys.typed(Array(sequence.utf8)).isEmpty, "\(sequence.dropFirst())") }
        let typed = "r" + sequences.joined(separator: "D") + "q"
        #expect(Keys.typed(Array(typed.utf8)) == Array("rDDDDDDq".utf8))
        // The Escape key alone, an incomplete sequence, and text with characters of sequences and a letter beyond
        // ASCII.
        #expect(Keys.typed([0x1B]) == [0x1B] && Keys.typed(Array("\u{1B}[".utf8)).isEmpty)
        #expect(Keys.typed(Array("[O]ß".utf8)) == Array("[O]ß".utf8))
    }

    @Test func whatIsNoTerminalIsLeftAlone() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        defer { for end in ends { close(end) } }
        #expect(!Terminal.isOurs(ends[0]) && !Terminal.isOurs(-1))
    }
}

/// Commands of the keys of a preview, and the content of its status line.
@Suite struct PreviewTerminalTests {
    @Test func keysAreTheCommandsOfEveryOtherDoor() {
        let keys = Array(" npl+-rfq".utf8) + [0x1B, UInt8(ascii: "["), UInt8(ascii: "C")]
        let toggle: SessionCommand = .preview(.pause(nil))
        #expect(
            PreviewTerminal.commands(keys) == [
                toggle, .preview(.skip(1)), .preview(.skip(-1)), .preview(.loop(nil)), .preview(.gain(by: 1)),
                .preview(.gain(by: -1)), .recentre(.yaw), .recentre(.full), .quit, .preview(.seek(by: 5)),
            ])
    }
}
