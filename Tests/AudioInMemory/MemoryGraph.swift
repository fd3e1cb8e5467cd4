import Rendering
import Signal

@testable import AudioIO

/// Errors that a server in memory throws. Nil stands for no error.
package struct MemoryRefusals: Sendable {
    /// Error of opening a client.
    package var opening: JACKError?
    /// Error of activating a client.
    package var activation: JACKError?
    /// Error of connecting ports.
    package var connection: JACKError?

    /// Makes refusals without errors.
    package init() {}
}

/// Clients, ports and connections of a server in memory, and its cycle. One thread at a time.
struct MemoryGraph {
    /// State of the server.
    enum Health { case running, hung, gone }

    /// A port of any client, by its full name.
    struct Port {
        var name: String
        /// Whether the port is an input.
        var isInput: Bool
        var isPhysical: Bool
    }

    var hertz: Double
    /// Frames per cycle.
    var period: Int
    /// Frame clock at the next cycle's first frame.
    var frame: UInt32 = 0
    /// Host time at which the next cycle begins, seconds.
    var seconds = 0.0
    var isFreewheeling = false
    var transport = ServerTransport()
    /// Frames between the start of a cycle and the time at which its first frame is heard.
    var playbackLatency = 0
    var health = Health.running
    /// Errors that are thrown from now on.
    var refusals = MemoryRefusals()
    /// Whether answers to start requests that were handled are held back.
    var holdsAnswers = false

    /// Names of all clients.
    var clients: [String] = []
    /// Ports by their numbers, which are never reused.
    var ports: [UInt32: Port] = [:]
    private var nextPort: UInt32 = 0
    /// Connections in the order in which they were made.
    var links: [JACKLink] = []
    /// Stages in the order in which they were opened.
    var stages: [MemoryStageState] = []
    /// Sounds of the clients with outputs only, with their numbers of channels.
    var players: [String: (sound: PlayedSound, channels: Int)] = [:]
    /// Samples that still have to be played on other clients' outputs.
    var programmes: [String: ArraySlice<Float>] = [:]
    /// Samples that other clients' inputs have received.
    var arrived: [String: [Float]] = [:]

    /// Makes a graph without clients.
    init(hertz: Double, period: Int) {
        self.hertz = hertz
        self.period = period
    }

    // MARK: Clients and ports

    /// Registers a port.
    mutating func register(_ name: String, isInput: Bool, isPhysical: Bool = false) {
        ports[nextPort] = Port(name: name, isInput: isInput, isPhysical: isPhysical)
        nextPort += 1
    }

    /// Removes a port and its connections.
    mutating func unregister(_ name: String) {
        for link in links where link.from == name || link.to == name { undo(link) }
        ports = ports.filter { $0.value.name != name }
    }

    /// Returns a port by its name.
    func port(_ name: String) -> (number: UInt32, port: Port)? {
        ports.first { $0.value.name == name }.map { ($0.key, $0.value) }
    }

    /// Returns the names of ports of one direction, in the order of their registration.
    func names(isInput: Bool, where belongs: (Port) -> Bool = { _ in true }) -> [String] {
        ports.sorted { $0.key < $1.key }.map(\.value).filter { $0.isInput == isInput && belongs($0) }.map(\.name)
    }

    /// Removes a client with its ports and connections.
    mutating func remove(_ client: String) {
        let prefix = client + ":"
        for link in links where link.from.hasPrefix(prefix) || link.to.hasPrefix(prefix) { undo(link) }
        ports = ports.filter { !$0.value.name.hasPrefix(prefix) }
        clients.removeAll { $0 == client }
        players[client] = nil
        stages.removeAll { $0.name == client }
    }

    // MARK: Connections

    /// Makes a connection. Returns false if a port is missing or has the wrong direction.
    mutating func make(_ link: JACKLink) -> Bool {
        guard let (_, from) = port(link.from), let (number, to) = port(link.to), !from.isInput, to.isInput else {
            return false
        }
        guard !links.contains(link) else { return true }
        links.append(link)
        for stage in stages {
            if let ear = stage.ear(link.from) {
                stage.routes.watch.connect(ear: ear, port: number, name: link.to, isPhysical: to.isPhysical)
            }
            stage.noteChange(of: link)
        }
        return true
    }

    /// Removes a connection. Returns false if there is none.
    @discardableResult
    mutating func undo(_ link: JACKLink) -> Bool {
        guard let index = links.firstIndex(of: link), let (number, _) = port(link.to) else { return false }
        links.remove(at: index)
        for stage in stages {
            if let ear = stage.ear(link.from), stage.routes.watch.disconnect(ear: ear, port: number) {
                stage.loseRoute()
            }
            stage.noteChange(of: link)
        }
        return true
    }

    /// Sends the events that the stages have recorded since the last call.
    func tellChanges() { for stage in stages { stage.tellChanges() } }

    // MARK: Cycles

    /// Runs one cycle, in the order: other clients' outputs, players, stages, other clients' inputs.
    mutating func cycle() {
        guard health == .running else { return }
        var rows: [String: [Float]] = [:]
        for (port, programme) in programmes {
            let taken = programme.prefix(period)
            rows[port] = Array(taken) + [Float](repeating: 0, count: period - taken.count)
            programmes[port] = programme.dropFirst(taken.count)
        }
        for (name, player) in players { play(player.sound, player.channels, of: name, into: &rows) }
        for stage in stages {
            let inputs = stage.ports.inputs.map { sum(arriving: $0, from: rows) }
            let counts = stage.ports.inputs.map { name in links.count { $0.to == name } }
            let past = stage.monitorInputs.ports.map { sum(arriving: "\(stage.name):\($0.symbol)", from: rows) }
            let ears = stage.cycles.run(
                inputs, past: past, at: stage.monitorInputs, connections: counts, frames: period, firstFrame: frame,
                isLive: !isFreewheeling, heardAt: heardAt(frame), isRolling: transport.isRolling)
            for (ear, name) in stage.ports.ears.enumerated() { rows[name] = ears[ear] }
            for (name, row) in zip(stage.ports.print, stage.printed) {
                // A silenced stage has not rendered its print bus in this cycle.
                if row.count == period { rows[name] = row }
            }
        }
        for name in arrived.keys {
            let sound = sum(arriving: name, from: rows)
            arrived[name]? += sound
        }
        advance(period)
        if transport.isRolling { transport.frame += Int64(period) }
        for stage in stages { stage.answer(holding: holdsAnswers) }
    }

    /// Advances the clock without running a cycle.
    mutating func advance(_ frames: Int) {
        frame &+= UInt32(frames)
        seconds += Double(frames) / hertz
    }

    /// Returns the host time at which a frame of the clock is heard, seconds.
    func heardAt(_ frame: UInt32) -> Double {
        let ahead = Int(Int32(bitPattern: frame &- self.frame))
        return seconds + Double(ahead + max(playbackLatency, period)) / hertz
    }

    private func sum(arriving port: String, from rows: [String: [Float]]) -> [Float] {
        var sum = [Float](repeating: 0, count: period)
        for link in links where link.to == port {
            guard let row = rows[link.from] else { continue }
            for i in 0..<period { sum[i] += row[i] }
        }
        return sum
    }

    private func play(_ sound: PlayedSound, _ channels: Int, of name: String, into rows: inout [String: [Float]]) {
        let block = PlanarBlock(channels: channels, frames: period)
        sound.play(into: block.pointers, frames: period, firstFrame: frame, live: !isFreewheeling)
        for channel in 0..<channels {
            rows["\(name):out_\(channel + 1)"] = Array(UnsafeBufferPointer(start: block[channel], count: period))
        }
    }
}
