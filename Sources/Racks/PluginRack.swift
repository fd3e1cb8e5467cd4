import Gate
import Inserts
import Loading
import MotionLogs
import PluginHost
import Signal
import Synchronization

/// Plugins of one stage, which is all programmes that are rendered together: chains, settings and status.
///
/// May be used by any thread except the audio thread, for one command at a time. All changing values are in `state`.
package final class PluginRack: Sendable {
    /// Changing values, under one lock.
    package struct State {
        /// `[place]`: inserts of the place, in order.
        package var chains: [[PluginInsert]]
        /// Faults that were reported: the name of an insert, or `NAME worker` if its worker takes too long.
        package var told: Set<String> = []
        /// Latency of the chains at the last report.
        package var latency = InsertLatency()
        /// Plugin changes of a motion log.
        package var automation: [MotionRecording.PluginChange] = []
        /// Number of applied changes of the log, and the frame up to which they are applied.
        package var done = (changes: 0, frame: 0)
        /// Messages for the next report: changes of the log that plugins refused, and plugins that are left out.
        package var refusals: [String] = []
        /// Plugins that are not available here, kept for a machine or stage on which they are available.
        package var absent = AbsentPlugins()
    }

    /// Changing values of the rack.
    package let state: Mutex<State>
    /// Chains that the audio thread runs.
    package let chains: InsertRenderer
    private let places: [PluginPlace]
    private let sampleRate: SampleRate
    private let slice: Int
    private let shelf: PluginShelf
    private let isLive: Bool
    private let endings = PluginEndings()
    /// Duration above which a job of a plugin's worker is reported, seconds.
    private static let longestWork = 5.0
    /// Largest number of inserts in one chain.
    package static let most = 32

    /// Creates empty chains for a stage with these places.
    package init(
        _ chains: InsertRenderer, places: [PluginPlace], sampleRate: SampleRate, slice: Int, shelf: PluginShelf,
        isLive: Bool
    ) {
        self.chains = chains
        self.places = places
        self.sampleRate = sampleRate
        self.slice = slice
        self.shelf = shelf
        self.isLive = isLive
        state = Mutex(State(chains: .init(repeating: [], count: chains.places.count)))
    }

    /// Whether there are no plugins.
    package var isEmpty: Bool { state.withLock { $0.chains.allSatisfy(\.isEmpty) } }

    /// Status of the inserts, place by place.
    package var status: [PluginStatus] {
        state.withLock { state in
            state.chains.flatMap { chain in chain.enumerated().map { PluginStatus($1, position: $0) } }
        }
    }

    /// Adds plugins to the chains, in order. Adds none if one of them is not available.
    ///
    /// - Parameters:
    ///   - period: frames of a period, 0 if unknown. Some plugins process only blocks of one length, the slice. Offline
    ///     they need no buffer if the period is a multiple of the slice.
    ///   - says: called with a message for each plugin before it is prepared.
    package func add(_ requests: [PluginRequest], period: Int, says: (String) -> Void = { _ in }) throws(SessionError) {
        var made: [PluginInsert] = []
        for request in requests {
            says("preparing the plugin \(request.identifier) at '\(request.place)'")
            made.append(try make(request, period: period, beside: made))
        }
        let inserts = made
        try change { state throws(SessionError) in
            try Self.append(inserts, to: &state.chains)
        }
    }

    /// Adds the available plugins. The next call of `look` reports the others, which are saved with the chains.
    package func addWhatThereIs(_ requests: [PluginRequest], period: Int, says: (String) -> Void = { _ in }) {
        // `[place]`: name of the newest plugin.
        var newest: [String: String] = [:]
        for request in requests {
            let place = PluginPlace.plain(request.place)
            do throws(SessionError) {
                try add([request], period: period, says: says)
                newest[place] = inserts.last { PluginPlace.plain($0.place.name) == place }?.name
            } catch {
                let former = newest.updateValue(request.name ?? request.nameFromIdentifier, forKey: place)
                state.withLock { state in
                    state.absent.keep(request, after: former)
                    state.refusals.append(
                        "\(request.identifier) at '\(request.place)' is left out: \(error.description)")
                }
            }
        }
    }

    /// Carries out a command that changes something; queries are answered elsewhere. Creating an instance lasts up to
    /// some tens of milliseconds; a first scan lasts longer.
    package func perform(_ command: PluginCommand, period: Int) throws(SessionError) {
        switch command {
        case .add(let request, let position):
            let insert = try make(request, period: period)
            try change { state throws(SessionError) in
                let chain = state.chains[insert.place.index]
                try Self.expectRoom(in: chain, at: insert.place)
                state.chains[insert.place.index].insert(insert, at: min(chain.count, max(0, position ?? chain.count)))
            }
        case .remove(let name):
            try change { state throws(SessionError) in
                let (place, position) = try Self.find(name, in: state)
                state.chains[place].remove(at: position)
                state.told.subtract([name, name + " worker"])
            }
        case .move(let name, let target):
            try change { state throws(SessionError) in
                let (place, position) = try Self.find(name, in: state)
                let insert = state.chains[place].remove(at: position)
                state.chains[place].insert(insert, at: min(state.chains[place].count, max(0, target)))
            }
        case .bypass(let name, let on):
            try change { state throws(SessionError) in
                try Self.insert(name, in: state).bypass(on)
            }
        case .replace(let name, let request): try replace(name, by: request, period: period)
        case .restart(let name):
            let request = try state.withLock { state throws(SessionError) in
                try Self.insert(name, in: state).requestNow
            }
            try replace(name, by: request, period: period)
        case .set(let name, let symbol, let value):
            try act(on: name) { insert throws(PluginError) in try insert.set(symbol, value) }
        case .preset(let name, let preset):
            try act(on: name) { insert throws(PluginError) in try insert.load(preset: preset) }
        case .midi(let name, let bytes):
            try act(on: name) { insert throws(PluginError) in
                try insert.linked { instance throws(PluginError) in try instance.send(midi: bytes) }
            }
        case .save(let folder): try save(to: folder)
        case .load(let folder): try load(from: folder, period: period)
        case .list, .known, .describe, .about: break
        }
    }

    /// Takes the next step of a change of chains, frees unused instances, and polls the plugins. Returns the messages
    /// to report, one sentence each, and whether the latency changed. Must be called about every 50 ms.
    package func look() -> (remarks: [String], latencyChanged: Bool) {
        chains.advance()
        var remarks: [String] = []
        let changed = state.withLock { state in
            var isLate = false
            for insert in state.chains.joined() {
                let now = insert.instances[0].latencyFrames + insert.blocking
                if now != insert.latency && insert.member.meter.runs > 0 {
                    insert.latency = now
                    isLate = true
                }
                remarks += notice(insert, &state.told)
            }
            if isLate { ask(state) }
            let latency = chains.latency
            defer { state.latency = latency }
            return latency != state.latency
        }
        remarks += takeRefusals()
        for name in endings.take() {
            remarks.append("plugin \(name) could not be closed; it stays in memory until the session ends")
        }
        return (remarks, changed)
    }

    /// Returns the new messages about a plugin.
    private func notice(_ insert: PluginInsert, _ told: inout Set<String>) -> [String] {
        var remarks: [String] = []
        if let fault = insert.member.meter.fault.words, told.insert(insert.name).inserted {
            remarks.append(
                "plugin \(insert.name) (\(insert.request.identifier)) at '\(insert.place.name)' is bypassed: \(fault); "
                    + "'ctl plugin restart \(insert.name)' restarts it")
        }
        let working = insert.instances.map(\.health.workerSeconds).max() ?? 0
        if working > Self.longestWork, told.insert(insert.name + " worker").inserted {
            remarks.append(
                "plugin \(insert.name) (\(insert.request.identifier)): its worker has not returned for "
                    + "\(Int(clamping: working, .down, to: 0...1_000_000_000)) s")
        }
        return remarks
    }

    // MARK: Parts of commands

    /// Creates an insert with an unused name.
    private func make(
        _ request: PluginRequest, period: Int, beside made: [PluginInsert] = [], instead: String? = nil
    ) throws(SessionError) -> PluginInsert {
        let place = try PluginPlace(request.place, among: places)
        let taken = Set(state.withLock { $0.chains.joined().map(\.name) } + made.map(\.name)).subtracting([
            instead ?? ""
        ])
        let name: String
        if let wanted = request.name {
            guard !taken.contains(wanted) else { throw SessionError(.usage, "a plugin is called '\(wanted)' already") }
            name = wanted
        } else {
            let base = request.nameFromIdentifier
            name =
                taken.contains(base)
                ? (2...999).lazy.map { "\(base)-\($0)" }.first { !taken.contains($0) } ?? base : base
        }
        return try insert(request, named: name, at: place, period: period)
    }

    private func insert(
        _ request: PluginRequest, named name: String, at place: PluginPlace, period: Int
    ) throws(SessionError) -> PluginInsert {
        // A live stream may start inside a period, and the server may change its period. Slices are then divided, even
        // if the period is a multiple of the slice now.
        let isWhole = !isLive && period > 0 && period.isMultiple(of: slice)
        return try PluginInsert(
            request, named: name, at: place, from: shelf,
            PluginSetup(sampleRate: sampleRate, slice: slice, isLive: isLive, period: period),
            isWhole: isWhole, endings: endings)
    }

    /// Replaces an insert by another one.
    private func replace(_ name: String, by request: PluginRequest, period: Int) throws(SessionError) {
        let old = try state.withLock { state throws(SessionError) in try Self.insert(name, in: state) }
        var request = request
        request.place = old.place.name
        request.name = request.name ?? name
        let insert = try make(request, period: period, instead: name)
        try change { state throws(SessionError) in
            let (place, position) = try Self.find(name, in: state)
            state.chains[place][position] = insert
            state.told.subtract([name, name + " worker"])
        }
    }

    /// Replaces all chains. If `isForgiving`, unavailable plugins are kept for another stage; otherwise nothing is
    /// replaced if one plugin is not available.
    package func replaceAll(by requests: [PluginRequest], period: Int, isForgiving: Bool = false) throws(SessionError) {
        var made: [PluginInsert] = []
        var left = AbsentPlugins()
        var refusals: [String] = []
        // `[place]`: name of the newest plugin.
        var newest: [String: String] = [:]
        for request in requests {
            let name = request.name ?? request.nameFromIdentifier
            guard !made.contains(where: { $0.name == name }) else {
                throw SessionError(.input, "two plugins are called '\(name)'; each needs a name of its own")
            }
            let former = newest.updateValue(name, forKey: PluginPlace.plain(request.place))
            do throws(SessionError) {
                let place = try PluginPlace(request.place, among: places)
                made.append(try insert(request, named: name, at: place, period: period))
            } catch {
                guard isForgiving else { throw error }
                left.keep(request, after: former)
                refusals.append("\(request.identifier) at '\(request.place)' is left out: \(error.description)")
            }
        }
        let (inserts, absent, told) = (made, left, refusals)
        try change { state throws(SessionError) in
            var chains = [[PluginInsert]](repeating: [], count: state.chains.count)
            try Self.append(inserts, to: &chains)
            state.chains = chains
            state.absent = absent
            state.refusals += told
            state.told = []
        }
    }

    /// Appends inserts to the chains of their places. Throws, without a change, if a chain would become too long.
    private static func append(_ inserts: [PluginInsert], to chains: inout [[PluginInsert]]) throws(SessionError) {
        var longer = chains
        for insert in inserts {
            try expectRoom(in: longer[insert.place.index], at: insert.place)
            longer[insert.place.index].append(insert)
        }
        chains = longer
    }

    private static func expectRoom(in chain: [PluginInsert], at place: PluginPlace) throws(SessionError) {
        guard chain.count < most else {
            throw SessionError(.usage, "'\(place.name)' has \(most) plugins already; a chain can have no more")
        }
    }

    /// Inserts of all chains, place by place.
    package var inserts: [PluginInsert] { state.withLock { $0.chains.flatMap(\.self) } }

    /// Names of the equalisers at the ears.
    package var equalisersAtEars: [String] {
        inserts.filter { insert in
            let kind = insert.instances.first?.plugin.kind.lowercased() ?? ""
            return insert.place.name == PluginPlace.ears
                && (kind.contains("equali") || ["parametric", "multiband"].contains(kind))
        }.map(\.name)
    }

    private func change(_ change: (inout State) throws(SessionError) -> Void) throws(SessionError) {
        try state.withLock { state throws(SessionError) in
            try change(&state)
            ask(state)
        }
    }

    private func act(
        on name: String, _ act: (PluginInsert) throws(PluginError) -> Void
    ) throws(SessionError) {
        let insert = try state.withLock { state throws(SessionError) in try Self.insert(name, in: state) }
        do throws(PluginError) { try act(insert) } catch { throw SessionError(error) }
    }

    /// Sends the present chains to the audio thread.
    private func ask(_ state: borrowing State) {
        chains.ask(
            for: state.chains.map { chain in
                chain.map { InsertRequest($0.member, isBypassed: $0.isBypassed, latency: $0.latency) }
            })
    }

    private static func find(_ name: String, in state: borrowing State) throws(SessionError) -> (Int, Int) {
        for (place, chain) in state.chains.enumerated() {
            if let position = chain.firstIndex(where: { $0.name == name }) { return (place, position) }
        }
        let known = state.chains.joined().map(\.name).joined(separator: ", ")
        throw SessionError(
            .usage,
            "there is no plugin '\(name)'; " + (known.isEmpty ? "the chains have no plugins" : "there are \(known)"))
    }

    private static func insert(_ name: String, in state: borrowing State) throws(SessionError) -> PluginInsert {
        let (place, position) = try find(name, in: state)
        return state.chains[place][position]
    }
}
