import Control
import Desk
import Foundation
import Gate
import Loading
import Session
import Stages

/// A running session on the whole screen of a terminal, ten times per second, with the keys of `run`.
actor WatchPanel {
    /// Reason for the end of the display.
    enum Ending: Sendable {
        /// The user ended it: a key, Ctrl-C or SIGTERM.
        case requested
        /// The session no longer answers, or its answer cannot be read.
        case lost(SessionError)
    }

    private let address: SessionAddress
    private let style: TerminalStyle
    /// Longest wait for each answer that a key needs.
    private let patience: Duration
    private let screen = FullScreen()
    private let chosen = SessionTerminal.Choice()
    private var status: SessionStatus?
    private var picture: StagePicture?
    /// Message for the user; nil without one.
    private(set) var remark: String?
    private var remarkAge = 0
    private var showsKeys = false
    private var ending: Ending?

    /// Creates the display of the session at an address; `patience`: longest wait for each answer that a key needs.
    init(_ address: SessionAddress, _ style: TerminalStyle, patience: Duration = .seconds(15)) {
        (self.address, self.style, self.patience) = (address, style, patience)
    }

    /// Shows the session until the display ends; restores the screen in any case.
    func run() async -> Ending {
        screen.open()
        defer { screen.close() }
        let keys = Terminal.isOurs(0) ? Keys(of: 0) { [self] in await take($0) } : nil
        defer { keys?.cancel() }
        var layout = ""
        while ending == nil {
            do {
                let answer = try StatusAnswer(json: try await ControlClient.request(.status, at: address))
                guard case .whole(let now) = answer else {
                    screen.show([TextRow(answer.phase.words)], style)
                    try? await Task.sleep(for: .milliseconds(100))
                    continue
                }
                status = now
                if now.layout + "\(now.programmes.count)" != layout {
                    layout = now.layout + "\(now.programmes.count)"
                    let json = try await ControlClient.request(.picture, at: address)
                    picture = try? JSONValue.decode(StagePicture.self, from: json.utf8, within: .child)
                }
                draw(now)
            } catch let error as SessionError {
                ending = ending ?? .lost(error)
            } catch {
                ending = ending ?? .lost(SessionError(.environment, "the session's answer cannot be read: \(error)"))
            }
            // A remark stays for at least four seconds.
            remarkAge += 1
            if remarkAge > 40 { remark = nil }
            try? await Task.sleep(for: .milliseconds(100))
        }
        return ending ?? .requested
    }

    /// Ends the display.
    func end() { ending = ending ?? .requested }

    private func draw(_ now: SessionStatus) {
        let size = screen.measures
        if showsKeys { return screen.show(Self.help(size), style) }
        let watch = WatchScreen(
            status: now, picture: picture, remark: remark, style: style, columns: size.columns, rows: size.rows)
        screen.show(watch.lines, style)
    }

    /// Returns the list of keys, in as many columns as needed.
    private static func help(_ size: (columns: Int, rows: Int)) -> [TextRow] {
        let all =
            [("q", "leaves; the session goes on")]
            + SessionTerminal.keys.filter { $0.keys != "q" }.map { ($0.keys.replacing(" ", with: "space "), $0.help) }
        let height = max(1, size.rows - 2)
        let side = (all.count + height - 1) / height
        let width = max(20, size.columns / max(1, side))
        var rows = [TextRow("Keys (any key goes back)", .bold)]
        for index in 0..<min(height, all.count) {
            var row = TextRow()
            for column in 0..<side where column * height + index < all.count {
                let (keys, help) = all[column * height + index]
                var entry = TextRow(keys.padding(toLength: 8, withPad: " ", startingAt: 0), .bold)
                entry.add(help)
                row.add(entry.cut(to: width - 2), at: column * width)
            }
            rows.append(row.cut(to: size.columns))
        }
        return rows
    }

    /// Carries out the keys of a block of bytes from the keyboard.
    func take(_ pressed: [UInt8]) async {
        let typed = Keys.typed(pressed)
        // An arrow or function key closes the list of keys too.
        if typed.isEmpty { showsKeys = false }
        for key in typed.map({ Character(UnicodeScalar($0)) }) {
            if showsKeys {
                showsKeys = false
            } else if key == "?" {
                showsKeys = true
            } else if key == "q" {
                end()
            } else if let meaning = SessionTerminal.keys.first(where: { $0.keys.contains(key) })?.meaning {
                await send(meaning)
            }
        }
        if let status { draw(status) }
    }

    private func send(_ meaning: SessionTerminal.Meaning) async {
        var values: SessionValues = [:]
        if meaning.dependsOnValues {
            do throws(SessionError) { values = try await valuesInForce() } catch { return say(error.description) }
        }
        switch SessionTerminal.commands(meaning, values, chosen) {
        case .failure(let words): say(words.words)
        case .success(let commands):
            var refusal: String?
            for command in commands {
                do throws(SessionError) {
                    _ = try await ControlClient.request(command, at: address, timeout: patience)
                    return await readStatus()
                } catch {
                    refusal = error.description
                }
            }
            if let refusal { say(refusal) }
        }
    }

    /// Returns the session's values by address. The figures of the status are no values: its level contains dim and
    /// talkback, and a step from it would make this reduction permanent.
    private func valuesInForce() async throws(SessionError) -> SessionValues {
        let answer: String
        do throws(SessionError) {
            answer = try await ControlClient.request(.state, at: address, timeout: patience)
        } catch {
            // A session that knows the command refuses it for a reason of its own.
            guard error.fault == .input, await isOlder() else { throw error }
            throw SessionError(
                .environment, "this key needs the command 'state', which the session's version does not have")
        }
        guard case .object(let object)? = try? JSONValue(answer.utf8, within: .child) else {
            throw SessionError(.environment, "the session's values cannot be read")
        }
        return object.compactMapValues(\.parameterValue)
    }

    /// Returns whether the session is of a version without the command `state`: its status lacks `controlVersion`.
    private func isOlder() async -> Bool {
        guard let answer = try? await ControlClient.request(.status, at: address, timeout: patience),
            let now = try? SessionStatus(json: answer)
        else { return false }
        return now.controlVersion == nil
    }

    /// Reads the status after a command, so that the screen shows the effect at once.
    private func readStatus() async {
        guard let answer = try? await ControlClient.request(.status, at: address) else { return }
        status = (try? SessionStatus(json: answer)) ?? status
    }

    private func say(_ words: String) { (remark, remarkAge) = (words, 0) }
}
