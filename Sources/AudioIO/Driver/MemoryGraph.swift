import Rendering
import Signal

/// What a server in memory refuses, and how; nil: nothing.
package struct MemoryRefusals: Sendable {
    /// To open a client.
    package var opening: JACKError?
    /// To activate one.
    package var activation: JACKError?
    /// To connect ports by themselves.
    package var connection: JACKError?

    /// Nothing.
    package init() {}
}

/// The clients, ports and connections of a server in memory, and what one cycle of it does. One thread at a time.
struct MemoryGraph {
    /// How the server does.
    enum Health { case running, hung, gone }

    /// A port of any client, by its full name.
    struct Port {
        var name: String
        /// Whether it takes sound.
        var isInput: Bool
        var isPhysical: Bool
    }

    var hertz: Double
    /// Frames per cycle.
    var period: Int
    /// The clock at the next cycle's first frame.
    var frame: UInt32 = 0
    /// Host seconds at which the next cycle begins.
    var seconds = 0.0
    var isFreewheeling = false
    var transport = ServerTransport()
    /// Frames between the start of a cycle and the moment its first frame is heard.
    var playbackLatency = 0
    var health = Health.running
    /// What is refused from now on.
    var refusals = MemoryRefusals()
    /// Whether a request to start that was served is answered only when that is allowed again.
    var holdsAnswers = false

    /// Names of all clients.
    var clients: [String] = []
    /// By number, which no other port has had.
    var ports: [UInt32: Port] = [:]
    private var nextPort: UInt32 = 0
    /// In the order in which they were made.
    var links: [JACKLink] = []
    /// The stages, in the order in which they were opened.
    var stages: [MemoryStageState] = []
    /// What clients with outputs alone play, and in how many channels.
    var players: [String: (sound: PlayedSound, channels: Int)] = [:]
    /// What is still to be played on other clients' outputs.
    var programmes: [String: ArraySlice<Float>] = [:]
    /// What came to other clients' inputs.
    var arrived: [String: [Float]] = [:]

    /// A server without clients.
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

    /// A port goes, and its connections with it.
    mutating func unregister(_ name: String) {
        for link in links where link.from == name || link.to == name { undo(link) }
        ports = ports.filter { $0.value.name != name }
    }

    /// A port by its name.
    func port(_ name: String) -> (number: UInt32, port: Port)? {
        ports.first { $0.value.name == name }.map { ($0.key, $0.value) }
    }

    /// Names of ports of one direction, in the order of their registration.
    func names(isInput: Bool, where belongs: (Port) -> Bool = { _ in true }) -> [String] {
        ports.sorted { $0.key < $1.key }.map(\.value).filter { $0.isInput == isInput && belongs($0) }.map(\.name)
    }

    /// A client and all it has go.
    mutating func remove(_ client: String) {
        let prefix = client + ":"
        for link in links where link.from.hasPrefix(prefix) || link.to.hasPrefix(prefix) { undo(link) }
        ports = ports.filter { !$0.value.name.hasPrefix(prefix) }
        clients.removeAll { $0 == client }
        players[client] = nil
        stages.removeAll { $0.name == client }
    }

    // MARK: Connections

    /// Makes a connection; false where a port is missing or of the wrong direction.
    mutating func make(_ link: JACKLink) -> Bool {
        guard let (_, from) = port(link.from), let (number, to) = port(link.to), !from.isInput, to.isInput else {
            return false
        }
        guard !links.contains(link) else { return true }
        links.append(link)
        for stage in stages {
            if let ear = stage.ear(link.from) {
                stage.route.connect(ear: ear, port: number, name: link.to, isPhysical: to.isPhysical)
            }
            stage.noteChange(of: link)
        }
        return true
    }

    /// Undoes a connection; false where there is none.
    @discardableResult
    mutating func undo(_ link: JACKLink) -> Bool {
        guard let index = links.firstIndex(of: link), let (number, _) = port(link.to) else { return false }
        links.remove(at: index)
        for stage in stages {
            if let ear = stage.ear(link.from), stage.route.disconnect(ear: ear, port: number) { stage.loseRoute() }
            stage.noteChange(of: link)
        }
        return true
    }

    /// Has every stage tell what was noted since the last time.
    func tellChanges() { for stage in stages { stage.tellChanges() } }

    // MARK: Cycles

    /// Runs one cycle: other clients give, players play, stages render, other clients take.
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
            let inputs = stage.inputs.map { sum(arriving: $0, from: rows) }
            let counts = stage.inputs.map { name in links.count { $0.to == name } }
            let past = stage.monitorInputs.ports.map { sum(arriving: "\(stage.name):\($0.symbol)", from: rows) }
            let ears = stage.run(
                inputs, past: past, connections: counts, frames: period, firstFrame: frame, isLive: !isFreewheeling,
                heardAt: heardAt(frame), isRolling: transport.isRolling)
            for (ear, name) in stage.outputs.enumerated() { rows[name] = ears[ear] }
            for (name, row) in zip(stage.printBus, stage.printed) {
                // A stage that is silenced printed nothing in this cycle.
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

    /// The clock moves on without a cycle.
    mutating func advance(_ frames: Int) {
        frame &+= UInt32(frames)
        seconds += Double(frames) / hertz
    }

    /// Host seconds at which a frame of the clock is heard.
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
