import ArgumentParser
import Control
import Desk
import Session
import Stages

/// Selects a running session by its name or its port.
struct ControlPort: ParsableArguments {
    @Option(
        help: ArgumentHelp("The session, by its JACK client's name, if several run.", valueName: "name"),
        completion: .sessions)
    var to: String?
    @Option(
        help: ArgumentHelp(
            "OSC address of the session, instead of its name; it may be on another machine.",
            valueName: "[address:]port"))
    var port: ControlAddress?

    func validate() throws {
        guard to == nil || port == nil else { throw ValidationError("--to and --port exclude each other") }
    }

    /// Returns the session's address: `port`, else that of the session named `to`, else that of the only running
    /// session, else the default port. Throws if neither option is given and several sessions run.
    @inline(never)
    func address() throws -> SessionAddress {
        if let port { return .osc(port) }
        return try to.map { .named($0) } ?? .only()
    }

    // If this function is inlined into the commands, the optimiser crashes
    // (Documentation/measurements/compiler-faults.md).
    @inline(never)
    func request(_ command: SessionCommand) async throws -> String {
        let seconds =
            if case .set(let change) = command { change.parameter.takesAWhile ? 60 : 3 } else {
                Command.row(of: command)?.patience ?? 3
            }
        return try await ControlClient.request(command, at: try address(), timeout: .seconds(seconds))
    }

    /// Sends a command by its address in the table; returns the answer. `patience`: timeout, seconds.
    @inline(never)
    func ask(_ address: String, _ values: [CommandValue], patience: Int) async throws -> String {
        try await ControlClient.ask(address, values, at: try self.address(), timeout: .seconds(patience))
    }
}
