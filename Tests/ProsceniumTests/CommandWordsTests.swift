import ArgumentParser
import Desk
import Foundation
import SoundFixtures
import Testing

@testable import Session
@testable import Trackers
@testable import proscenium

/// Replies of commands to invalid words.
@Suite struct CommandWordsTests {
    @Test func `Help on no command is wrong usage, and names those that there are`() throws {
        for words in [["help", "nosuch"], ["help", "ctl", "nosuch"], ["nosuch"]] {
            let run = try Run(words)
            #expect(run.status == 2)
            #expect(run.complaints.first?.contains("there is no command 'nosuch'; there are ") == true)
        }
        #expect(try Run("help", "ctl", "record").status == 0)
    }

    @Test(arguments: [
        ("upmix", "<centre> <width> <ambience>|on|off|toggle [--input <name>]"),
        ("level", "<dB>|off [--input <name>]"),
        ("yaw-pull", "<degrees per second>"), ("room", "on|off|toggle"),
    ]) func `A parameter without its value has its own usage`(_ name: String, _ form: String) throws {
        let run = try Run("ctl", name)
        #expect(run.status == 2)
        #expect(run.complaints[1].hasPrefix("Usage: proscenium ctl \(name) \(form)"), "\(run.complaints)")
    }

    @Test func `A plugin that is not well said is told why`() throws {
        let place = try Run("run", "--fresh", "--plugin", "foo")
        #expect(place.status == 2 && place.complaints.first?.contains("does not say where a plugin goes") == true)
        let truth = try Run("run", "--fresh", "--plugin", "ears=urn:x,bypass=maybe")
        #expect(truth.status == 2 && truth.complaints.first?.contains("bypass") == true)
        #expect(truth.complaints.first?.contains("maybe") == true)
    }

    /// Returns the completions that bash offers for the last of these words.
    private func offers(_ words: String...) throws -> Set<Substring> {
        let scratch = try Scratch()
        try Run("--generate-completion-script", "bash").output.write(
            toFile: scratch("words.bash"), atomically: true, encoding: .utf8)
        let line = """
            . "$1"; shift
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
            _proscenium proscenium "${@: -1}" "${@: -2:1}"; printf '%s\\n' "${COMPREPLY[@]}"
            """
        let bash = try Run(
            ["-c", line, "bash", scratch("words.bash"), Run.program.path] + words,
            program: URL(fileURLWithPath: "/bin/bash"))
        #expect(bash.complaints == [])
        return Set(bash.output.split(separator: "\n"))
    }

    @Test func `Bash offers the parameters behind ctl, and their values`() throws {
        #expect(try offers("ctl", "lev") == ["level"])
        #expect(try offers("ctl", "mode", "") == ["off", "fixed", "tracked"])
        #expect(try offers("ctl", "lo").isSuperset(of: ["loudness", "loudspeaker"]))
        #expect(try offers("ctl", "record", "st").contains("start"))
    }

    /// Returns the words of a line, some of which are in quotes.
    private static func words(_ line: String) -> [String] {
        line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
    }

    @Test(arguments: Command.rows(of: .desk).filter { $0.form != nil })
    func `Each command that the table has for ctl is one of ctl, and its example means it`(_ row: Command) throws {
        let example = try #require(row.form).example
        let command = try Proscenium.parseAsRoot(["ctl"] + Self.words(example))
        #expect("\(type(of: command))".hasPrefix("RowCommand<"), "\(example): \(type(of: command))")
    }

    /// Commands with a form of their own on the command line, and those that are said by an argument there.
    private static let ownForms: Set = [
        "status", "loudness", "loudness/reset", "recentre/yaw", "recentre/full", "recentre/reset", "plugin", "seek",
        "seek-by",
    ]

    @Test(arguments: Command.rows(of: .desk))
    func `Each command that a door does not answer itself is one of ctl`(_ row: Command) {
        if case .door = row.kind { return }
        // A measurement has a page, and no socket for ctl.
        if case .command(.measurement)? = Command.read(row.id, []) { return }
        #expect((row.form != nil) != Self.ownForms.contains(row.id))
    }

    @Test(arguments: [
        ("osc:9000", "osc:9000", true), ("osc:9000", "opentrack:9000", true), ("osc:0.0.0.0:9000", "osc:9000", true),
        ("osc:9000", "osc:9001", false), ("osc:127.0.0.1:9000", "osc:127.0.0.2:9000", false),
        ("osc:9000", "none", false),
    ]) func `Two trackers have two ports`(_ head: String, _ device: String, _ isFault: Bool) {
        let fault = TrackingSettings(head: head, device: device).fault
        #expect((fault != nil) == isFault)
        if isFault { #expect(fault?.contains("9001") == true) }
    }

    @Test func `Zeros have no sign, silence is -inf, and names stand apart from what is said of them`() throws {
        var status = SessionStatus()
        (status.sampleRate, status.pitch, status.roll) = (48_000, -0.04, 0.04)
        (status.inputPeaks, status.outputPeaks) = ([-200, -20], [-20, -20])
        let page = StatusText.page(.whole(status))
        #expect(page.contains("pitch +0.0° roll +0.0°"))
        #expect(page.contains("-inf -20.0 dBFS"))
        #expect(page.contains("headphones no equalisation"))
    }
}
