import CAllocations
import CRealtime

/// Runs contenders turn by turn, so that all of them meet the same machine.
struct Interleaved {
    /// What a figure is.
    enum Statistic {
        /// The median step: for work that is the same in every step.
        case medianStep
        /// The median of so many steps timed together, or a multiple of it: for work that alternates between steps.
        case medianSteps(Int)
        /// The median over turns of a turn's mean step, turns of whole cycles of some steps: for work that comes in cycles.
        /// Processor time of all threads, so that work done elsewhere counts.
        case medianTurn(cycles: Int, steps: Int)
    }

    /// Turns per contender that count; one more goes before to warm up.
    var rounds = 12
    /// Nanoseconds a turn lasts at least, where it is not counted in steps.
    var turn = 2_500_000.0
    /// Steps shorter than this are timed several at a time, so that the clock's own cost does not show; nanoseconds.
    var shortest = 2000.0
    var statistic = Statistic.medianStep
    /// Work of one step in units: frames × sources in most cells.
    var units = 1.0
    /// A planted slowdown of ours, in parts of its time, to prove a comparison with.
    var planted = 0.0
    let clock: Clock

    /// Times of each contender, in the order given; `firsts` are the steps they begin with.
    func measure(_ contenders: [any Contender], from firsts: [Int], output: Output) -> [Times] {
        var times = firsts.map { Times(next: $0, capacity: 1 << 15) }
        for round in 0...rounds {
            for place in contenders.indices {
                // Another order in each round: no contender always follows the same neighbour.
                let index = (place + round) % contenders.count
                take(contenders[index], &times[index], output, counts: round > 0)
            }
        }
        return times
    }

    /// Turns of each contender in lockstep with another process; the first of each warms up on both sides.
    func measure(_ contenders: [any Contender], from firsts: [Int], output: Output, with lockstep: Lockstep) -> [Times]
    {
        var times = firsts.map { Times(next: $0, capacity: 1 << 15) }
        for index in contenders.indices.sorted(by: { contenders[$0].name < contenders[$1].name })
        where contenders[index].role == .ours {
            for turn in 0...lockstep.turns {
                lockstep.wait()
                let known = times[index].steps.count
                take(contenders[index], &times[index], output, counts: turn > 0)
                let steps = times[index].steps[known...].sorted()
                let figure = steps.isEmpty ? times[index].turns.last ?? .nan : steps[steps.count / 4]
                lockstep.report(figure / units)
            }
        }
        return times
    }

    /// One turn of one contender.
    private func take(_ contender: any Contender, _ times: inout Times, _ output: Output, counts: Bool) {
        let delay = contender.role == .peer ? 0 : planted
        var fixed = 0
        if case .medianTurn(let cycles, let steps) = statistic { fixed = cycles * steps }
        if !counts { times.batch = 1 }
        let allocations = bench_allocations()
        let processor = Clock.processorNanoseconds()
        let start = prc_cycles()
        var before = start
        var done = 0
        repeat {
            for _ in 0..<times.batch {
                contender.step(times.next, into: output)
                times.next += 1
            }
            var after = prc_cycles()
            if delay > 0 {
                let until = after + UInt64(Double(after - before) * delay)
                while after < until { after = prc_cycles() }
            }
            if counts { times.add(clock.nanoseconds(after - before) / Double(times.batch)) }
            before = after
            done += times.batch
        } while fixed > 0 ? done < fixed : clock.nanoseconds(before - start) < turn
        let wall = clock.nanoseconds(before - start)
        let spent = Double(Clock.processorNanoseconds() - processor)
        if counts {
            times.wall += wall
            times.processor += spent
            times.turns.append(spent / Double(done))
            times.allocations += bench_allocations() - allocations
        } else if fixed == 0 {
            times.batch = max(1, Int((shortest * Double(done) / wall).rounded(.up)))
            if case .medianSteps(let cycle) = statistic { times.batch = (times.batch + cycle - 1) / cycle * cycle }
        }
    }

    /// What a contender's times say; its agreement and its memory are added.
    func figures(_ contender: any Contender, _ times: Times, errorDecibels: Double?, bytes: Int64) -> Figures {
        let sorted = times.steps.sorted()
        func part(_ share: Double, of values: [Double]) -> Double {
            values.isEmpty ? .nan : values[min(values.count - 1, Int(share * Double(values.count)))]
        }
        let basis: [Double]
        if case .medianTurn = statistic { basis = times.turns.sorted() } else { basis = sorted }
        var cycle: CycleFigures?
        if case .medianTurn(let cycles, let steps) = statistic {
            cycle = CycleFigures(times.steps, cycle: steps, cycles: cycles)
        }
        return Figures(
            name: contender.name, role: contender.role, remark: contender.remark, value: part(0.5, of: basis) / units,
            lowerQuartile: part(0.25, of: basis) / units, medianMicroseconds: part(0.5, of: sorted) / 1000,
            p99Microseconds: part(0.99, of: sorted) / 1000, longestMicroseconds: (sorted.last ?? .nan) / 1000,
            cycle: cycle, processorShare: times.processor / times.wall, steps: sorted.count,
            allocations: times.allocations,
            bytes: bytes, errorDecibels: errorDecibels)
    }
}

/// What the clock said of one contender.
struct Times {
    /// The next unit of work.
    var next: Int
    /// Steps timed together.
    var batch = 1
    /// Nanoseconds per step; where they outgrow the memory reserved, the latest are left out.
    private(set) var steps: [Double] = []
    /// Processor time per step of each turn, nanoseconds.
    var turns: [Double] = []
    var wall = 0.0
    var processor = 0.0
    var allocations: UInt64 = 0
    private let capacity: Int

    init(next: Int, capacity: Int) {
        self.next = next
        self.capacity = capacity
        steps.reserveCapacity(capacity)
        turns.reserveCapacity(256)
    }

    mutating func add(_ nanoseconds: Double) {
        if steps.count < capacity { steps.append(nanoseconds) }
    }
}
