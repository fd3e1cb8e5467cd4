import ArgumentParser
import AudioIO
import Desk
import Foundation
import Gate
import Session
import Signal
import Surfaces
import Synchronization

/// Options of a control surface on the session's own MIDI ports.
struct SurfaceOptions: CheckedOptions {
    @Option(
        help: ArgumentHelp(
            "A control surface on the ports events_in and events_out: a JSON file with the addresses of its controls, or 'mackie' (a strip for each input).",
            valueName: "map|mackie"),
        completion: .custom { _, _, typed in ["mackie"] + FilesHere.offered(typed, [".json"]) })
    var surface: String?
    @Option(
        help: ArgumentHelp(
            "Bind the next control that is moved to an address, as input/main/level or recentre, and write the map; may be repeated.",
            valueName: "address"))
    var learn: [String] = []

    func check() throws {
        guard learn.isEmpty || surface != nil && surface != "mackie" else {
            throw ValidationError("--learn needs a map to write to: add --surface FILE")
        }
        for address in learn where SurfaceScale.table(address) == nil {
            throw ValidationError("--learn takes an address, as level, input/main/level or recentre, not '\(address)'")
        }
    }

    /// Reads the map and opens the surface; nil without `--surface`. A missing map file starts an empty map for
    /// `learn`.
    ///
    /// - Parameter inputs: the names of the session's inputs.
    func open(_ desk: SessionDesk, inputs: [String]) throws -> OpenSurface? {
        guard let surface else { return nil }
        var map = SurfaceMap()
        if surface == "mackie" {
            map.mackie = MackieMap(inputs: inputs)
        } else if FileManager.default.fileExists(atPath: surface) || learn.isEmpty {
            let bytes: [UInt8]
            do throws(BoundedFile.Refusal) {
                bytes = try BoundedFile.bytes(of: surface, most: JSONBounds.written.bytes)
            } catch {
                throw Failure(
                    .input, "'\(surface)' cannot be read (\(error)); --learn ADDRESS begins a new map")
            }
            do throws(SurfaceMapError) { map = try SurfaceMap(text: String(decoding: bytes, as: UTF8.self)) } catch {
                throw Failure(.input, "\(surface): \(error.description)")
            }
        }
        do throws(WorkerError) {
            return try OpenSurface(map, path: surface == "mackie" ? nil : surface, learn: learn, desk: desk)
        } catch {
            throw Failure(.environment, error.description)
        }
    }
}

/// An open control surface.
final class OpenSurface: Sendable {
    /// The session's MIDI ports for the surface.
    let midi: StageMIDI
    private let door: SurfaceDoor
    private let lesson: Lesson
    private let desk: SessionDesk
    /// First address of `--learn`; nil without one.
    private let wanted: String?

    /// `path`: the file of the map; nil without one.
    init(_ map: SurfaceMap, path: String?, learn: [String], desk: SessionDesk) throws(WorkerError) {
        midi = try StageMIDI()
        let lesson = Lesson(path: path, addresses: learn)
        door = SurfaceDoor(
            map, table: SurfaceScale.table(of: desk.pluginControls), queue: desk.commands,
            send: { [midi] in midi.send($0) }, learnt: lesson.learnt)
        (self.desk, self.lesson, wanted) = (desk, lesson, learn.first)
        lesson.begin(with: door)
        desk.surface.take(perform: lesson.perform) { lesson.learning }
        midi.hear({ [door] in door.receive($0) }, arrival: { [door] in door.refresh() })
    }

    /// Starts to show the values in force on the surface; returns remarks, one line each.
    func begin() -> [String] {
        door.follow(desk.state)
        return door.faults + (wanted.map { ["control surface: move the control for \($0)"] } ?? [])
    }

    /// Adds an address to be learnt, or cancels learning; returns the reason of a refusal, nil on success.
    func perform(_ command: SessionCommand.Surface) -> String? { lesson.perform(command) }

    /// The address that waits for a control; nil without one.
    var learning: String? { lesson.learning }

    /// Handles a message of the device.
    func receive(_ bytes: [UInt8]) { door.receive(bytes) }

    /// Stops receiving and sending.
    func close() {
        desk.surface.leave()
        door.close()
        midi.end()
    }
}

/// Queue of addresses to be learnt, each bound to the next control that is moved, and the file of the map.
private final class Lesson: Sendable {
    /// Greatest number of addresses that may wait.
    private static let most = 64

    private let path: String?
    private let state: Mutex<State>

    private struct State {
        var left: [String]
        weak var door: SurfaceDoor?
    }

    init(path: String?, addresses: [String]) {
        self.path = path
        state = Mutex(State(left: addresses))
    }

    func begin(with door: SurfaceDoor) {
        state.withLock { state in
            state.door = door
            if let first = state.left.first { _ = door.learn(first) }
        }
    }

    /// The address that waits for a control; nil without one.
    var learning: String? { state.withLock { $0.left.first } }

    /// Adds an address to the queue, or empties the queue; returns the reason of a refusal, nil on success.
    func perform(_ command: SessionCommand.Surface) -> String? {
        guard path != nil else { return "this surface has no map to write; start the session with --surface FILE" }
        switch command {
        case .learn(let address):
            guard SurfaceScale.table(address) != nil else {
                return "'\(address)' is not an address that a control can move, as level, input/main/level or recentre"
            }
            let (isTaken, first) = state.withLock { state -> (Bool, SurfaceDoor?) in
                guard state.left.count < Self.most else { return (false, nil) }
                state.left.append(address)
                return (true, state.left.count == 1 ? state.door : nil)
            }
            guard isTaken else {
                return "\(Self.most) addresses wait for their controls already; move those, or cancel"
            }
            if let first { _ = first.learn(address) }
        case .cancel:
            let (waited, door) = state.withLock { state in
                defer { state.left = [] }
                return (!state.left.isEmpty, state.door)
            }
            guard waited else { return "no address waits for a control" }
            _ = door?.learn(nil)
        }
        return nil
    }

    /// Handles a learnt control: writes the map, and waits for the next address's control.
    func learnt(_ map: SurfaceMap) {
        let (done, next, door) = state.withLock { state in
            let done = state.left.isEmpty ? nil : state.left.removeFirst()
            return (done, state.left.first, state.door)
        }
        let control = map.bindings.last?.control.written ?? ""
        guard let path else { return }
        do {
            try Data(map.text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            say("control surface: \(control) now moves \(done ?? ""); \(path) is written")
        } catch {
            say("control surface: \(path) cannot be written: \(error.localizedDescription)")
        }
        guard let next, let door else { return }
        _ = door.learn(next)
        say("control surface: move the control for \(next)")
    }
}
