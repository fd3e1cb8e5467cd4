import ArgumentParser
import Control
import Session

/// Which running session is meant, by its name or its port.
struct ControlPort: ParsableArguments {
    @Option(help: ArgumentHelp("Which session, by its client's name, where several run.", valueName: "name"))
    var to: String?
    @Option(
        help: ArgumentHelp(
            "Where the session listens for OSC, in place of its name; it may be on another machine.",
            valueName: "[address:]port"))
    var port: ControlAddress?

    func validate() throws {
        guard to == nil || port == nil else { throw ValidationError("--to and --port exclude each other") }
    }

    /// The session that is meant.
    @inline(never)
    func address() throws -> SessionAddress {
        if let port { return .osc(port) }
        return try to.map { .named($0) } ?? .only()
    }

    // Inlined into the commands, it ends the optimiser (Documentation/compiler-faults.md).
    @inline(never)
    func request(_ command: SessionCommand) async throws -> String {
        // A start may have to wait for its frame, a plugin for the first scan of all there are.
        let timeout: Duration =
            switch command {
            case .start: .seconds(15)
            case .plugin: .seconds(60)
            case .set(let change) where change.parameter.takesAWhile: .seconds(60)
            // What is undone may be a stage that was built anew.
            case .history: .seconds(60)
            // A disk may be slow to take the last of a recording.
            case .record: .seconds(15)
            default: .seconds(3)
            }
        return try await ControlClient.request(command, at: try address(), timeout: timeout)
    }
}
