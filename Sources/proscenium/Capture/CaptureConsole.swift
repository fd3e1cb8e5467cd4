import Capture
import Desk
import Foundation
import Session
import Signal
import Synchronization

/// A capture's messages on standard error, and its requests from standard input.
final class CaptureConsole {
    private let session: CaptureSession
    private let isShowing: Bool
    private var nextLine = 0.0
    private var lineIsShown = false
    /// Whether the start of the first take was refused; never true with `waits`.
    private(set) var hasFailed = false
    /// First event that made a take incomplete; nil without one. Periods that JACK skipped do not count.
    private(set) var loss: CaptureEvent?
    private var hasBegun = false
    /// Whether a take begins only on request. In this case a refusal before the first take does not end the program.
    private let waits: Bool

    private let hears: (CaptureEvent) -> Void

    /// Starts to read requests; `hears` is called with each event as well.
    init(session: CaptureSession, isQuiet: Bool, waits: Bool, hears: @escaping (CaptureEvent) -> Void) throws(Failure) {
        (self.session, self.waits, self.hears) = (session, waits, hears)
        isShowing = !isQuiet && isatty(2) == 1
        do throws(WorkerError) {
            try Worker.detach("capture requests") {
                while let line = readLine() {
                    guard !line.allSatisfy(\.isWhitespace) else { continue }
                    if case .command(let command)? = Command.read(line: line), let request = command.captureRequest {
                        session.ask(request)
                    } else {
                        say("proscenium: '\(line.prefix(80))' is not a request; requests are \(Command.lines)")
                    }
                }
            }
        } catch {
            throw Failure(.environment, error.description)
        }
    }

    /// Prints new events and the present state.
    func show() {
        for event in session.takeEvents() {
            clear()
            say("proscenium: \(event)")
            hears(event)
            switch event {
            case .began: hasBegun = true
            case .take(.incomplete), .take(.outOfRoom): loss = loss ?? event
            default: break
            }
            if case .refused = event, !waits, !hasBegun, session.status.seconds == nil { hasFailed = true }
        }
        let now = HostClock().now
        guard isShowing, now >= nextLine else { return }
        nextLine = now + 0.2
        LineOutput.standardError.write("\r" + Self.line(session.status) + "\u{1B}[K")
        lineIsShown = true
    }

    /// Prints the remaining events.
    func close() {
        show()
        clear()
    }

    private func clear() {
        if lineIsShown { LineOutput.standardError.write("\r\u{1B}[K") }
        lineIsShown = false
    }

    /// Returns the status line: time, levels of inputs and outputs in dB, the gain.
    private static func line(_ status: CaptureEngine.Status) -> String {
        let time =
            status.seconds.map { String(format: "%7.1f s", $0) }
            ?? String(format: "waiting, %.0f s of pre-roll", status.preRoll)
        func levels(_ meters: [(name: String, level: InputMeter.Level)]) -> String {
            meters.map { "\($0.name) \(decibels($0.level.peak))\($0.level.clips > 0 ? "!" : "")" }.joined(
                separator: " ")
        }
        return "\(status.isOutOfRoom ? "DISK FULL " : "")\(time) | \(levels(status.inputs)) | \(levels(status.outputs))"
            + String(format: " | gain %+.1f dB", status.gain)
    }

    /// Returns a peak in whole dBFS; `-` at −100 dBFS and below.
    static func decibels(_ peak: Float) -> String {
        peak > 1e-5 ? String(format: "%.0f", 20 * log10(peak)) : "-"
    }
}
