import ArgumentParser
import Control
import Foundation
import Session

/// Where a live command listens for control.
struct ControlPortOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where to listen for control (OSC over UDP), or none (default: \(ControlAddress.defaultPort), or the next that is free).",
            valueName: "[address:]port"))
    var control: String?

    func validate() throws {
        guard control == nil || control == "none" || control.flatMap({ ControlAddress($0) }) != nil else {
            throw ValidationError("--control takes [ADDRESS:]PORT or none, not '\(control ?? "")'")
        }
    }

    /// Ports after the usual one that are tried where nobody named one.
    private static let spare = 16

    /// Begins to listen, before anything dear is prepared. Beside the server what there is to say of it: where it
    /// listens, and who has the usual port where that is taken; neither with `none`.
    func open(_ queue: CommandQueue) async throws -> (server: ControlServer?, remark: String?) {
        if control == "none" { return (nil, nil) }
        if let named = control.flatMap({ ControlAddress($0) }) {
            do throws(SessionError) {
                let server = try ControlServer(at: named, queue: queue)
                return (server, "control: OSC on \(server.address)")
            } catch {
                guard let owner = await Self.owner(of: named) else { throw error }
                throw SessionError(
                    .environment,
                    "control port \(named) belongs to the running session '\(owner)'; choose another with --control PORT"
                )
            }
        }
        let usual = ControlAddress(port: ControlAddress.defaultPort)
        for port in usual.port...usual.port + Self.spare {
            guard let server = try ControlServer(ifFree: ControlAddress(port: port), queue: queue) else { continue }
            guard port != usual.port else { return (server, "control: OSC on \(server.address)") }
            let owner = await Self.owner(of: usual).map { "the session '\($0)' has" } ?? "another program has"
            return (
                server,
                "control: OSC on \(server.address), since \(owner) \(usual.port); speak to this one with 'ctl --port \(port)'"
            )
        }
        throw SessionError(
            .environment,
            "control ports \(usual.port) to \(usual.port + Self.spare) are all taken; choose one with --control PORT, or none"
        )
    }

    /// The JACK client's name of the session that listens there; nil where it is none, or does not answer.
    private static func owner(of address: ControlAddress) async -> String? {
        struct Named: Decodable { let client: String }
        guard let text = try? await ControlClient.request(.status, at: address, timeout: .milliseconds(500)) else {
            return nil
        }
        return (try? JSONDecoder().decode(Named.self, from: Data(text.utf8)))?.client
    }
}
