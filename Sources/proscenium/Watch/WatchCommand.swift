import ArgumentParser
import Control
import Desk
import Foundation
import Session

/// `proscenium status`: prints the state of a running session, as `ctl status` does.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Prints the state of a running session.",
        discussion: "Example: proscenium status --json")
    @OptionGroup var port: ControlPort
    @OptionGroup var form: ControlCommand.StatusForm

    func run() async throws { try await form.print(port) }
}

/// `proscenium watch`: shows a running session's load, head, trackers and levels, live.
struct WatchCommand: AsyncParsableCommand, CheckedOptions {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows a running session live: head, trackers, levels, loudness, load; keys control it.",
        discussion: """
            Example: proscenium watch --to proscenium

            A terminal shows, ten times per second, until Ctrl-C or q, the head on a compass rose, trackers, levels, loudness and \
            load, and takes the keys of 'run' (? lists them). NO_COLOR turns colours off; a locale without UTF-8 gets ASCII \
            only. If the output is no terminal, a line is printed every --interval seconds.
            """)
    @OptionGroup var port: ControlPort
    @Option(help: ArgumentHelp("Seconds between two lines, if the output is no terminal.", valueName: "s"))
    var interval = 1.0
    @Option(help: ArgumentHelp("Lines to print, then end; 0: until interrupted.", valueName: "n")) var count = 0
    @Flag(help: "Lines of JSON, as 'status --json'.") var json = false

    func check() throws {
        guard (0.01...3600).contains(interval) else { throw ValidationError("--interval is 0.01 to 3600 seconds") }
        guard count >= 0 else { throw ValidationError("--count is 0 or more") }
    }

    func run() async throws {
        // Throws at once if no session answers.
        let address = try port.address()
        _ = try await ControlClient.request(.status, at: address)
        if isatty(1) == 1, isatty(2) == 1, !json, count == 0 { return try await show(address) }
        var printed = 0
        while count == 0 || printed < count {
            let text = try await ControlClient.request(.status, at: address)
            // A file or pipe takes a line of any length.
            let columns = isatty(1) == 1 ? StatusLine.columns : .max
            print(json ? text : Self.line(try StatusAnswer(json: text)).text(columns: columns))
            fflush(nil)
            printed += 1
            if printed != count { try await Task.sleep(for: .seconds(interval)) }
        }
    }

    /// Shows the session's state until the user ends the display. Throws if the session no longer answers.
    private func show(_ address: SessionAddress) async throws {
        let panel = WatchPanel(address, TerminalStyle(ProcessInfo.processInfo.environment))
        let interrupt = Interrupt()
        interrupt.tell { Task { await panel.end() } }
        if case .lost(let error) = await panel.run() { throw error }
        if interrupt.isRequested { throw ExitCode(130) }
    }

    /// Returns the line of an answer. Warnings have the highest weight; pose, tracker, peaks, load and xruns fit into
    /// 80 columns, further parts only into more.
    static func line(_ answer: StatusAnswer) -> StatusLine {
        switch answer {
        case .whole(let status): return line(status)
        case .phase(let phase):
            var line = StatusLine()
            line.add(phase.words, weight: 9)
            return line
        }
    }

    /// Returns the line of a session that has a stage.
    static func line(_ s: SessionStatus) -> StatusLine {
        var line = StatusLine()
        line.add(s.serverGoneFor.map { String(format: "JACK GONE for %.0f s", $0) }, weight: 9)
        line.add(StatusText.warning(s.playback), weight: 9)
        line.add(StatusText.recordingWarning(s), weight: 9)
        let tracker = s.head.map { head in
            head.ageSeconds.map { String(format: ", %.0f Hz %.0f ms", head.rateHertz, $0 * 1000) } ?? ", no tracker yet"
        }
        line.add(String(format: "y %+.1f p %+.1f r %+.1f°", s.yaw, s.pitch, s.roll) + (tracker ?? ""), weight: 8)
        line.add(StatusText.peaks(s), weight: 8)
        line.add(String(format: "load %.0f %% xruns %d", (s.loadMean ?? s.load) * 100, s.xruns), weight: 8)
        line.add(StatusText.take(s), weight: 7)
        line.add(s.gainReduction < -0.05 ? String(format: "limiter %.1f dB", s.gainReduction) : nil, weight: 5)
        line.add(s.monitor.words, weight: 5)
        line.add(s.inputPeaks.isEmpty ? nil : "in " + StatusLine.meters(s.inputPeaks), weight: 4)
        line.add(StatusText.shortTerm(s), weight: 3)
        line.add(s.mode, weight: 2)
        return line
    }
}
