import Control
import Desk
import Foundation
import Gate
import Loading
import Session

/// What a session answers when it is asked for its state: all of it, or how far it has come where there is no stage
/// that could be asked.
enum StatusAnswer {
    case whole(SessionStatus)
    case phase(PhaseStatus)

    /// Reads the answer's JSON.
    init(json text: String) throws {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let bytes = Data(text.utf8)
        // Only a stage has a client.
        self =
            JSONValue(parsing: text)?["client"] == nil
            ? .phase(try decoder.decode(PhaseStatus.self, from: bytes))
            : .whole(try decoder.decode(SessionStatus.self, from: bytes))
    }

    /// How far the session has come, and what it prepares.
    var phase: PhaseStatus {
        switch self {
        case .phase(let phase): phase
        case .whole(let status): PhaseStatus(status.phase, preparing: status.preparing, for: status.preparingFor)
        }
    }

    /// The state of a session that has a stage.
    ///
    /// - Throws: `Failure` that names the phase of any other.
    var status: SessionStatus {
        get throws {
            switch self {
            case .whole(let status): return status
            case .phase(let phase): throw Failure(.environment, "the session is \(phase.words); ask again when it runs")
            }
        }
    }

    /// Asks a session for its state; the text it answers, and what that says.
    ///
    /// - Parameters:
    ///   - patience: seconds to wait for a session that is being started until it runs; what it prepares is told
    ///     meanwhile, each step once. 0: whatever its phase is.
    /// - Throws: where none answers, or it does not run in time or ends.
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
                guard phase.phase != .ending, !isOver else {
                    throw Failure(
                        .environment,
                        "the session does not run within \(Self.written(patience)) s; it is \(phase.words)")
                }
                if phase.words != told { tell("the session is \(phase.words)") }
                told = phase.words
            } catch let error as SessionError where error.fault == .environment && !isOver && patience > 0 {
                // It may not listen yet.
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private static func written(_ seconds: Double) -> String {
        Int(exactly: seconds).map(String.init) ?? String(seconds)
    }
}

extension SessionStatus {
    /// The state as a session that has a stage answers it.
    init(json text: String) throws { self = try StatusAnswer(json: text).status }
}
