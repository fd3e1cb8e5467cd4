import CRealtime
import Foundation
import Signal

/// Times of one contender's blocks.
struct Timing: Codable {
    let name: String
    let moving: Bool
    /// Nanoseconds per output frame and source, median block.
    let nanosecondsPerFrameAndSource: Double
    /// Microseconds per block: median, 99 %, longest.
    let medianMicroseconds: Double
    let p99Microseconds: Double
    let longestMicroseconds: Double
    /// Share of one core at the workload's sample rate, by the median.
    let shareOfCore: Double
    let blocks: Int
}

/// How close two outputs are.
struct Agreement: Codable {
    let name: String
    let moving: Bool
    /// 20·log10(rms(difference) / rms(ours)), worse ear, over two seconds' worth of blocks at most.
    let decibels: Double
}

/// Runs contenders turn by turn, so that all of them meet the same machine.
struct Interleaved {
    /// Turns per contender.
    var rounds = 12
    /// Nanoseconds a turn lasts at least.
    var turn: UInt64 = 2_500_000

    /// Block times of each contender, after one turn of warming up.
    func measure(_ contenders: [any Contender], _ work: Workload) -> [Timing] {
        let ears = PlanarBlock(channels: 2, frames: work.slice)
        var next = [Int](repeating: 0, count: contenders.count)
        var times = [[Double]](repeating: [], count: contenders.count)
        for round in 0...rounds {
            for place in contenders.indices {
                // Another order in each round: nobody always follows the same neighbour.
                let index = (place + round) % contenders.count
                let contender = contenders[index]
                let start = prc_monotonic_nanoseconds()
                var before = start
                repeat {
                    contender.render(block: next[index], left: ears[0], right: ears[1])
                    next[index] += 1
                    let after = prc_monotonic_nanoseconds()
                    if round > 0 { times[index].append(Double(after - before)) }
                    before = after
                } while before - start < turn
            }
        }
        return contenders.indices.map { timing(contenders[$0], times[$0].sorted(), work) }
    }

    private func timing(_ contender: any Contender, _ sorted: [Double], _ work: Workload) -> Timing {
        let median = sorted[sorted.count / 2]
        let period = Double(work.slice) / work.field.sampleRate.hertz * 1e9
        return Timing(
            name: contender.name, moving: contender.isMoving,
            nanosecondsPerFrameAndSource: median / Double(work.slice * work.sources), medianMicroseconds: median / 1000,
            p99Microseconds: sorted[min(sorted.count - 1, sorted.count * 99 / 100)] / 1000,
            longestMicroseconds: (sorted.last ?? 0) / 1000, shareOfCore: median / period, blocks: sorted.count)
    }
}

/// Renders the same blocks by a peer and by ours, both from the start, and compares.
func agreement(of peer: any Contender, with ours: any Contender, _ work: Workload) -> Agreement {
    let a = PlanarBlock(channels: 2, frames: work.slice)
    let b = PlanarBlock(channels: 2, frames: work.slice)
    var difference = [0.0, 0.0]
    var power = [0.0, 0.0]
    // Longer than the filters, so that all partitions sound.
    for index in 0..<max(64, 4 * work.taps / work.slice) {
        ours.render(block: index, left: a[0], right: a[1])
        peer.render(block: index, left: b[0], right: b[1])
        for ear in 0..<2 {
            for frame in 0..<work.slice {
                let (x, y) = (Double(a[ear][frame]), Double(b[ear][frame]))
                difference[ear] += (x - y) * (x - y)
                power[ear] += x * x
            }
        }
    }
    let worst = max(difference[0] / power[0], difference[1] / power[1])
    return Agreement(name: peer.name, moving: peer.isMoving, decibels: 10 * log10(max(worst, 1e-30)))
}
