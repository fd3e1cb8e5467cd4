import ArgumentParser
import Control
import Desk
import Foundation
import Gate
import Loading
import MPRIS
import Session

/// The doors of a live command: the sockets and ports on which it accepts control.
struct DoorOptions: CheckedOptions {
    @Option(
        help: ArgumentHelp(
            "Address for OSC, over UDP and TCP, or none (default: port \(ControlAddress.defaultPort), or the next free one).",
            valueName: "[address:]port"))
    var control: String?
    @Option(
        help: ArgumentHelp(
            "Listen for HTTP and WebSocket too: commands, state and meters as JSON, and OSC Query.",
            valueName: "[address:]port"))
    var http: String?
    @Option(
        help: ArgumentHelp(
            "Serve the panel, a web page that shows and controls the stage, with HTTP and WebSocket at the same address.",
            valueName: "[address:]port"))
    var panel: String?
    @Option(
        help: ArgumentHelp(
            "Word that a client on another machine must send. Without it, sockets are open to this machine alone.",
            valueName: "word"))
    var token: String?

    @Option(
        help:
            "Media keys and Now Playing of the desktop (MPRIS), where the session has a D-Bus: on or off."
    ) var mpris: MediaKeys = .on
    @Option(
        help: ArgumentHelp(
            "Folder for takes that are begun while the session plays, and for relative paths from OSC, HTTP, WebSocket and MIDI (default: Proscenium in your folder of music).",
            valueName: "dir"),
        completion: .directory)
    var recordings: String?
    @Option(
        help: ArgumentHelp(
            "A further folder in which OSC, HTTP, WebSocket and MIDI may write files; may be repeated.",
            valueName: "dir"),
        completion: .directory)
    var allowWrite: [String] = []

    /// Returns the gate that checks the doors' paths, with the folder of recordings, the session's folder if any, and
    /// the folders of `allowWrite`.
    private func gate(session: String?) throws -> WriteGate {
        let environment = ProcessInfo.processInfo.environment
        let standard = RecordingsFolder.standard(environment) { try? String(contentsOfFile: $0, encoding: .utf8) }
        do throws(PathRefusal) {
            var gate = WriteGate(recordings: standard)
            if let recordings { gate.recordings = try PathText.absolute(recordings) }
            if let session { gate.session = try PathText.absolute(session) }
            for folder in allowWrite { gate.allowed.append(try PathText.absolute(folder)) }
            return gate
        } catch {
            throw Failure(.usage, error.description)
        }
    }

    func check() throws {
        for (name, said) in [("control", control), ("http", http), ("panel", panel)] {
            guard said == nil || said == "none" || said.flatMap({ ControlAddress($0) }) != nil else {
                throw ValidationError("--\(name) takes [ADDRESS:]PORT or none, not '\(said ?? "")'")
            }
        }
        if let token, token.isEmpty { throw ValidationError("--token takes a word") }
    }

    /// Opens the doors, before any costly preparation.
    ///
    /// - Parameter session: the session's folder; nil without one.
    func open(_ desk: SessionDesk, name: String, session: String? = nil) async throws -> Doors {
        desk.commands.gate = try gate(session: session)
        let access = DoorAccess(token: token)
        let (server, remark) = try await openOSC(desk, access)
        let streams = StreamDoors(at: desk, access: access)
        var doors = Doors(desk: desk, osc: server, streams: streams, remarks: remark.map { [$0] } ?? [])
        do {
            do throws(SessionError) {
                let claim = try await SessionSockets.claim(name)
                defer { claim.end() }
                try await streams.openSocket(at: claim.path)
            } catch {
                // The other doors suffice. A client name that JACK accepts but no socket can have must not stop a
                // session.
                doors.remarks.append("control: no socket: \(error.description); reach this session by 'ctl --port'")
            }
            if let server, try await !streams.openOSC(at: server.address) {
                doors.remarks.append("control: TCP port \(server.address) is taken; OSC over UDP alone")
            }
            if let http, http != "none", let address = ControlAddress(http) {
                let opened = try await streams.openWeb(at: address, oscPort: server?.address.port)
                doors.remarks.append("control: HTTP and WebSocket on http://\(opened)")
            }
            if let panel, panel != "none", let address = ControlAddress(panel) {
                let opened = try await streams.openWeb(at: address, oscPort: server?.address.port, page: .session)
                let page = opened.page
                desk.panel.open(at: page)
                doors.remarks.append("panel: \(page)" + (token == nil ? "" : "#token=WORD"))
            }
            if mpris == .on, MediaBus.exists() { doors.media = MediaBus(desk) { Terminal.tell([$0]) } }
        } catch {
            await doors.close()
            throw error
        }
        return doors
    }

    /// Number of ports after the usual one that are tried, unless a port is named.
    private static let spare = 16

    /// Opens OSC over UDP. Returns the server and a remark: its address, and the session that has the usual port if
    /// that is taken. Both are nil with `none`.
    private func openOSC(
        _ desk: SessionDesk, _ access: DoorAccess
    ) async throws -> (server: ControlServer?, remark: String?) {
        if control == "none" { return (nil, nil) }
        if let named = control.flatMap({ ControlAddress($0) }) {
            try access.check(named)
            do throws(SessionError) {
                let server = try ControlServer(at: named, desk: desk, access: access)
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
            guard let server = try ControlServer(ifFree: ControlAddress(port: port), desk: desk) else { continue }
            guard port != usual.port else { return (server, "control: OSC on \(server.address)") }
            let owner = await Self.owner(of: usual).map { "the session '\($0)' has" } ?? "another program has"
            return (
                server,
                "control: OSC on \(server.address), because \(owner) port \(usual.port); reach this session by 'ctl --port \(port)'"
            )
        }
        throw SessionError(
            .environment,
            "control ports \(usual.port) to \(usual.port + Self.spare) are all taken; choose one with --control PORT, or none"
        )
    }

    /// Returns the JACK client's name of the session at an address; nil without an answer from a session.
    private static func owner(of address: ControlAddress) async -> String? {
        struct Named: Decodable { let client: String }
        guard let text = try? await ControlClient.request(.status, at: address, timeout: .milliseconds(500)) else {
            return nil
        }
        return (try? JSONValue.decode(Named.self, from: text.utf8, within: .child))?.client
    }
}

/// The open doors of a live command.
struct Doors {
    let desk: SessionDesk
    /// OSC over UDP; nil if switched off.
    let osc: ControlServer?
    /// All other doors.
    let streams: StreamDoors
    /// Media player on the D-Bus of the user's login session; nil without one.
    var media: MediaBus?
    /// Remarks about the doors, one line each.
    var remarks: [String]

    /// Stops accepting commands, sends the pending answers, and closes all doors.
    func close() async {
        desk.commands.close()
        await media?.close()
        await osc?.stop()
        await streams.close()
    }
}

/// Whether a session is a media player on the D-Bus of the user's login session.
enum MediaKeys: String, ExpressibleByArgument, CaseIterable {
    case on, off
}
