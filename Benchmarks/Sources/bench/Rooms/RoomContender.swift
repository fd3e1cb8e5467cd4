import Convolution
import Signal

/// The product's convolver for rooms, as the stage calls it: copies in a slice of each source, adds both ears, does its
/// share of the tail's work.
final class RoomContender: Contender {
    /// Motion of the head during the measurement.
    enum Motion {
        /// The head is still; the responses are those of the cell.
        case still
        /// The first 80 ms follow a head that turns, from a table of 180 yaws; the tail is fixed.
        case turning
    }

    let name: String
    let role: Role
    let remark: String
    private let work: RoomWork
    private let motion: Motion
    private var convolver: RoomConvolver

    /// Yaw rate of a turning head, degrees per second.
    private static let rate = 100.0
    private static let yaws = 180

    init(_ work: RoomWork, _ motion: Motion = .still) {
        self.work = work
        self.motion = motion
        name = motion == .still ? "Proscenium" : "Proscenium, early part turning"
        role = motion == .still ? .ours : .part
        let early = work.earlyTaps
        let taps = RoomTaps(
            sources: work.sources, yaws: motion == .still ? 1 : RoomContender.yaws, earlyTaps: early,
            tailTaps: work.taps - early, isTailShared: work.isTailShared,
            early: { source, _, ear in work.response(source: source, ear: ear) },
            tail: { source, ear in work.response(source: source, ear: ear) + early })
        convolver = RoomConvolver(slice: work.slice, fade: min(work.slice, 128), taps: taps)
        convolver.reset(yaw: 0)
        let blocks = RoomPlan(taps, slice: work.slice).levels.map { "\($0.level.count)×\($0.level.block)" }
        let (filters, rest) = convolver.byteCounts
        let perSecond = Double(filters + rest) / Double(work.sources) / Double(work.taps) * work.sampleRate
        remark =
            "partitions \(blocks.joined(separator: " + ")); filters \(filters >> 20) MiB, the rest \(rest >> 20) MiB: "
            + "\(Int(perSecond / 1e3)) kB per source and second of room"
    }

    func step(_ index: Int, into output: Output) {
        let slice = work.slice
        let rows = work.programme.block(index)
        let perFrame = motion == .still ? 0 : RoomContender.rate / 180 * .pi / work.sampleRate
        let fade = convolver.fade
        // A slice of 256 frames has at most two fades.
        var yaws: InlineArray<2, Double> = [0, 0]
        for i in 0..<slice / fade { yaws[i] = perFrame * Double(index * slice + (i + 1) * fade) }
        withUnsafePointer(to: &yaws) {
            $0.withMemoryRebound(to: Double.self, capacity: 2) { convolver.beginSlice($0) }
        }
        for source in 0..<work.sources {
            Samples.copy(rows[source], to: convolver.current(source), count: slice)
        }
        for ear in 0..<2 { Samples.clear(output[ear], count: slice) }
        convolver.render(from: 0, to: slice, left: output.left, right: output.right)
        convolver.endSlice(
            expecting: YawForecast(yaw: perFrame * Double((index + 1) * slice), perFrame: perFrame))
    }
}
