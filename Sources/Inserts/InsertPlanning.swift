import Signal

/// Contents and memory of a plan. A record is kept until the audio thread has returned the plan.
final class InsertRecord: Sendable {
    let serial: Int
    let plan: ThreadOwned<InsertPlan>
    /// `[place]`: the chains after the change.
    let chains: [[InsertRequest]]
    /// `[place]`: delay line that aligns the place with the other places; nil without a delay.
    let lines: [InsertLine?]
    /// Whether the record keeps inserts or lines that the change removes.
    let hasParted: Bool
    private let parting: [InsertRecord.Kept]
    private let entries: [ConstantMemory<InsertEntry>]

    /// An insert or delay line that the plan's change removes.
    typealias Kept = any AnyObject & Sendable

    init(
        serial: Int, plan: InsertPlan, entries: [ConstantMemory<InsertEntry>], chains: [[InsertRequest]],
        lines: [InsertLine?], parting: [Kept]
    ) {
        self.serial = serial
        self.chains = chains
        self.lines = lines
        self.parting = parting
        hasParted = !parting.isEmpty
        self.entries = entries
        self.plan = ThreadOwned(plan)
    }

    /// Makes the initial plan, which has no insert.
    convenience init(empty places: InsertPlaces) {
        let plan = InsertPlan(
            serial: 0, slots: ConstantMemory([]), count: 0, priming: 0, longestLag: 0, changes: false,
            isEmpty: true, isClearBeforeEars: true, fromWay: 0, toWay: 0, fromEars: 0, toEars: 0)
        self.init(
            serial: 0, plan: plan, entries: [], chains: .init(repeating: [], count: places.count),
            lines: .init(repeating: nil, count: places.count), parting: [])
    }

    deinit {
        for entry in entries { entry.deallocate() }
        plan.pointee.slots.deallocate()
        plan.deallocate()
    }

    /// `[place]`: latency of the place's chain, frames.
    var latencies: [Int] { chains.map { $0.reduce(0) { $0 + $1.latency } } }

    /// Returns whether these chains are the ones after the change.
    func isIn(_ requested: [[InsertRequest]]) -> Bool {
        zip(chains, requested).allSatisfy(InsertPlanning.areAlike)
    }
}

/// Owner of a delay line.
final class InsertLine: Sendable {
    let line: ThreadOwned<DelayLine>
    let delay: Int

    init(channels: Int, delay: Int, slice: Int) {
        self.delay = delay
        line = ThreadOwned(DelayLine(channels: channels, longest: delay, slice: slice))
    }

    deinit {
        line.deallocate()
    }
}

/// Planner of the changes that lead from the chains in force to the requested chains.
struct InsertPlanning {
    let places: InsertPlaces
    let sampleRate: SampleRate
    let slice: Int

    /// Returns the next plan; nil if no further plan is needed. A plan that removes inserts or delay lines is followed
    /// by one that no longer contains them.
    ///
    /// An insert whose order among other inserts changes is removed by the first plan and inserted again by the second,
    /// so that the change of its order is unheard.
    func next(after current: InsertRecord, towards requested: [[InsertRequest]]) -> InsertRecord? {
        guard !current.isIn(requested) else { return current.hasParted ? plan(from: current, to: requested) : nil }
        return plan(from: current, to: zip(current.chains, requested).map(InsertPlanning.reachable))
    }

    /// Returns whether both chains have the same inserts in the same order with the same settings.
    static func areAlike(_ one: [InsertRequest], _ other: [InsertRequest]) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { $0.isLike($1) }
    }

    /// Returns the part of a chain that one change can reach. It has all inserts except those that change their order.
    static func reachable(from old: [InsertRequest], to new: [InsertRequest]) -> [InsertRequest] {
        let stays = kept(old.map(\.member), new.map(\.member))
        return new.filter { request in
            stays.contains { $0 === request.member } || !old.contains { $0.member === request.member }
        }
    }

    /// Returns a longest sequence of members that both lists have in the same order.
    private static func kept(_ old: [InsertMember], _ new: [InsertMember]) -> [InsertMember] {
        var table = [[[InsertMember]]](
            repeating: .init(repeating: [], count: new.count + 1), count: old.count + 1)
        for i in 0..<old.count {
            for j in 0..<new.count {
                let (up, left) = (table[i][j + 1], table[i + 1][j])
                table[i + 1][j + 1] =
                    old[i] === new[j] ? table[i][j] + [old[i]] : up.count >= left.count ? up : left
            }
        }
        return table[old.count][new.count]
    }

    /// Returns a plan that changes the chains in force to `chains`, in which no insert changes its order.
    private func plan(from current: InsertRecord, to chains: [[InsertRequest]]) -> InsertRecord {
        let latencies = chains.map { $0.reduce(0) { $0 + $1.latency } }
        let delays = places.compensation(for: latencies)
        let (channels, lags) = (places.channels, places.lags(for: latencies))
        var parting: [InsertRecord.Kept] = []
        var priming = 0
        var changes = false
        let lines = (0..<places.count).map { place -> InsertLine? in
            let old = current.lines[place]
            let isSame = InsertPlanning.areAlike(current.chains[place], chains[place])
            guard (old?.delay ?? 0) != delays[place] || !isSame else { return old }
            changes = true
            priming = max(priming, delays[place])
            if let old { parting.append(old) }
            return delays[place] == 0 || channels[place] == 0
                ? nil : InsertLine(channels: channels[place], delay: delays[place], slice: slice)
        }
        var slots: [InsertSlot] = []
        let entries = (0..<places.count).map { place -> ConstantMemory<InsertEntry> in
            let merged = InsertPlanning.merge(current.chains[place], chains[place])
            for (old, new) in merged {
                if let old, new == nil { parting.append(old.member) }
                if old == nil, let new { priming = max(priming, new.latency + primed) }
            }
            let memory = ConstantMemory(merged.map { InsertPlanning.entry($0.old, $0.new) })
            slots.append(
                InsertSlot(
                    entries: memory, count: merged.count, channels: channels[place], lag: lags[place],
                    fromLine: current.lines[place]?.line, fromDelay: current.lines[place]?.delay ?? 0,
                    toLine: lines[place]?.line, toDelay: delays[place]))
            return memory
        }
        func isClear(_ chains: [[InsertRequest]]) -> Bool {
            chains.indices.allSatisfy { $0 == places.ears || chains[$0].isEmpty }
        }
        let (before, after) = (places.total(for: current.latencies), places.total(for: latencies))
        let plan = InsertPlan(
            serial: current.serial + 1, slots: ConstantMemory(slots), count: places.count, priming: priming,
            longestLag: lags.max() ?? 0, changes: changes,
            isEmpty: current.chains.allSatisfy(\.isEmpty) && chains.allSatisfy(\.isEmpty),
            isClearBeforeEars: isClear(current.chains) && isClear(chains),
            fromWay: before.beforeEars, toWay: after.beforeEars, fromEars: before.afterEars, toEars: after.afterEars)
        return InsertRecord(
            serial: plan.serial, plan: plan, entries: entries, chains: chains, lines: lines, parting: parting)
    }

    /// Frames for which a new insert runs unheard in addition to its latency.
    private var primed: Int { Int(InsertFade.priming * sampleRate.hertz) }

    private static func entry(_ old: InsertRequest?, _ new: InsertRequest?) -> InsertEntry {
        guard let any = old ?? new else { preconditionFailure("an entry is of an insert") }
        return InsertEntry(
            node: any.member.node,
            change: InsertChange(
                from: old?.mode ?? .absent, to: new?.mode ?? .absent, fromLatency: old?.latency ?? 0,
                toLatency: new?.latency ?? 0))
    }

    /// Merges both chains into one. Common members keep their order; all other members are at their old or new
    /// positions.
    static func merge(_ old: [InsertRequest], _ new: [InsertRequest]) -> [(old: InsertRequest?, new: InsertRequest?)] {
        var merged: [(old: InsertRequest?, new: InsertRequest?)] = []
        var rest = new[...]
        for request in old {
            guard let place = rest.firstIndex(where: { $0.member === request.member }) else {
                merged.append((request, nil))
                continue
            }
            merged += rest[rest.startIndex..<place].map { (nil, $0) }
            merged.append((request, rest[place]))
            rest = rest[(place + 1)...]
        }
        return merged + rest.map { (nil, $0) }
    }
}
