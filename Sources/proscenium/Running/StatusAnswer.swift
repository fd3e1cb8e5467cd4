import Control
import Desk
import Foundation
import Gate
import Loading
import Session

/// A session's answer to `status`: the whole state, or without a stage the phase alone.
enum StatusAnswer {
    case whole(SessionStatus)
    case phase(PhaseStatus)

    /// Decodes the answer's JSON.
    init(json text: String) throws {
        let json = try JSONValue(text.utf8, within: .child)
        // Only the state of a stage has a `client`.
        self =
            json["client"] == nil
            ? .phase(try json.decoded(as: PhaseStatus.self, hasInfinities: true))
            : .whole(try json.decoded(as: SessionStatus.self, hasInfinities: true))
    }

    /// Phase of the session, and its preparation step.
    var phase: PhaseStatus {
        switch self {
        case .phase(let phase): phase
        case .whole(let status): PhaseStatus(status.phase, preparing: status.preparing, for: status.preparingFor)
        }
    }

    /// State of a session that has a stage.
    ///
    /// - Throws: a `Failure` that names the phase, if there is no stage.
    var status: SessionStatus {
        get throws {
            switch self {
            case .whole(let status): return status
            case .phase(let phase):
                let remedy =
                    "; this waits until it runs: proscenium ctl status --wait 60, with the same --to or --port"
                throw Failure(
                    .environment, "the session is \(phase.words)\(phase.phase == .ending ? "" : remedy)")
            }
        }
    }

    /// Requests a session's state; returns the answer's text and its content.
    ///
    /// - Parameters:
    ///   - patience: longest wait until a starting session runs, seconds. Meanwhile `tell` is called for each new step.
    ///     0: returns in any phase.
    /// - Throws: an error if there is no answer, or if the session ends or does not run in time.
    static func ask(
        _ port: ControlPort, patience: Double = 0, tell: (String) -> Void = { say($0) }
    ) async throws -> (text: String, answer: StatusAnswer) {
        let deadline = ContinuousClock.now + .seconds(patience)
        var told: String?
        while true {
            let isOver = ContinuousClock.now >= deadline
            do {
                let text = try await port.request(.status)
                let answer = try StatusAnswer(json: text)
                let phase = answer.phase
                if patience == 0 || phase.phase == .running { return (text, answer) }
                if let failure = Self.failure(in: phase, after: isOver ? patience : nil) { throw failure }
                if phase.words != told { tell("the session is \(phase.words)") }
                told = phase.words
            } catch let error as SessionError where error.fault == .environment && !isOver && patience > 0 {
                // The session may not listen yet.
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Returns the reason why the wait for a session that does not run has ended; nil while the wait continues.
    /// `patience`: duration of the wait, seconds, if that time has elapsed; else nil.
    static func failure(in phase: PhaseStatus, after patience: Double?) -> Failure? {
        // A session that is ending will not run, so waiting longer is useless.
        if phase.phase == .ending { return Failure(.environment, "the session is \(phase.words)") }
        return patience.map {
            Failure(.environment, "the session did not run within \(written($0)) s; it is \(phase.words)")
        }
    }

    private static func written(_ seconds: Double) -> String {
        Int(exactly: seconds).map(String.init) ?? String(seconds)
    }
}

extension SessionStatus {
    /// Decodes a session's answer; throws if the session has no stage.
    init(json text: String) throws { self = try StatusAnswer(json: text).status }
}
