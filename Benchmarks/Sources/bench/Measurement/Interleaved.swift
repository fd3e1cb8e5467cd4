import CAllocations
import CRealtime

/// Runs contenders in alternating turns, so that disturbances of the machine affect all alike.
struct Interleaved {
    /// Statistic of a figure.
    enum Statistic {
        /// Median time of a step: for work that is the same in every step.
        case medianStep
        /// Median of this number of steps, or a multiple of it, timed together: for work that alternates between steps.
        case medianSteps(Int)
        /// Median over turns of a turn's mean step, each turn a whole number of cycles: for work that comes in cycles.
        /// Processor time of all threads, so that work on other threads counts.
        case medianTurn(cycles: Int, steps: Int)
    }

    /// Measured turns per contender; one more before them warms up.
    var rounds = 12
    /// Least duration of a turn that has no number of steps, nanoseconds.
    var turn = 2_500_000.0
    /// Least duration timed at once, nanoseconds: shorter steps are timed in batches, to hide the cost of the clock.
    var shortest = 2000.0
    var statistic = Statistic.medianStep
    /// Units of work per step: frames × sources in most cells.
    var units = 1.0
    /// Deliberate slowdown of the product, as a fraction of its time, to test a comparison.
    var planted = 0.0
    let clock: Clock

    /// Returns the times of each contender, in the order given; `firsts` are the first steps.
    func measure(_ contenders: [any Contender], from firsts: [Int], output: Output) -> [Times] {
        var times = firsts.map { Times(next: $0, capacity: 1 << 15) }
        for round in 0...rounds {
            for place in contenders.indices {
                // The first contender changes in each round.
                let index = (place + round) % contenders.count
                take(contenders[index], &times[index], output, counts: round > 0)
            }
        }
        return times
    }

    /// Runs each contender's turns in lockstep with another process; the first turn of each warms up both processes.
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

    /// Runs one turn of one contender.
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

    /// Returns the figures of a contender: its times, its agreement and its memory.
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

/// Measured times of one contender.
struct Times {
    /// Index of the next unit of work.
    var next: Int
    /// Number of steps timed together.
    var batch = 1
    /// Times per step, nanoseconds; times beyond the reserved capacity are dropped.
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
