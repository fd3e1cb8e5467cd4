import Convolution
import Geometry
import Glibc
import HRTF

/// One measured loudspeaker at the session's sample rate: the early part of every view (measurement with one head yaw),
/// and the whole response of one view.
struct MeasuredSource: Sendable {
    /// Head yaws of the views that have sound, radians, ascending, 0..<2π.
    let yaws: [Double]
    /// Early responses, `[view][ear]`, from time 0 of the file.
    let early: [[[Float]]]
    /// Whole response of the view that has sound and is nearest to the requested yaw, `[ear]`; empty if no view has
    /// sound.
    let whole: [[Float]]
    /// Number of views left out because all samples of both ears are 0.
    let silentViews: Int
    /// Direction of the loudspeaker for a head that faces the front; nil if unknown.
    private let loudspeaker: Direction<Stage>?

    /// Reads and converts the responses. Keeps `earlySeconds` of every view and `mostSeconds` at most of the whole
    /// response.
    init(
        _ views: RoomViews, source: Int, wholeAt yaw: Double, earlySeconds: Double, mostSeconds: Double, rate: Double
    ) throws(RoomError) {
        let full = 2 * Double.pi
        loudspeaker = views.sources[source].direction
        let sorted = MeasuredSource.neededViews(of: views.sources[source])
        let kept = MeasuredSource.keptSamples(views, earlySeconds: earlySeconds)
        let most = min(views.sampleCount, Int(mostSeconds * views.sampleRate))
        let nearestFirst = sorted.indices.sorted {
            abs(remainder(sorted[$0].yaw - yaw, full)) < abs(remainder(sorted[$1].yaw - yaw, full))
        }
        // The nearest view that has sound is read completely. Of the other views the early part is read.
        var pairs = [[Float]](repeating: [], count: sorted.count)
        var pending = Set(sorted.indices)
        var whole: [Float] = []
        for index in nearestFirst where whole.isEmpty {
            pending.remove(index)
            let (left, right) = try views.read(sorted[index].key, max(kept, most))
            guard MeasuredSource.hasSound(left, right) else { continue }
            pairs[index] = Array(left.prefix(kept)) + right.prefix(kept)
            whole = Array(left.prefix(most)) + right.prefix(most)
        }
        for index in pending.sorted() {
            let (left, right) = try views.read(sorted[index].key, kept)
            if MeasuredSource.hasSound(left, right) { pairs[index] = Array(left.prefix(kept)) + right.prefix(kept) }
        }
        let heard = sorted.indices.filter { !pairs[$0].isEmpty }
        silentViews = sorted.count - heard.count
        yaws = heard.map { sorted[$0].yaw }
        guard !heard.isEmpty else {
            (early, self.whole) = ([], [[], []])
            return
        }
        var rows: [Float] = []
        rows.reserveCapacity(2 * heard.count * kept)
        for index in heard {
            rows += pairs[index]
            pairs[index] = []
        }
        let converted = try MeasuredSource.converted(rows, count: 2 * heard.count, views, to: rate)
        early = heard.indices.map { [converted[2 * $0], converted[2 * $0 + 1]] }
        self.whole = try MeasuredSource.converted(whole, count: 2, views, to: rate)
    }

    /// Returns whether any sample of a pair differs from 0.
    private static func hasSound(_ left: [Float], _ right: [Float]) -> Bool {
        left.contains { $0 != 0 } || right.contains { $0 != 0 }
    }

    /// Returns the number of samples kept of each view, at the file's sample rate.
    private static func keptSamples(_ views: RoomViews, earlySeconds: Double) -> Int {
        min(views.sampleCount, Int((earlySeconds * views.sampleRate).rounded(.up)) + 64)
    }

    /// Returns the bytes of the early parts of a source's views at the session's sample rate.
    static func byteCount(_ views: RoomViews, source: Int, earlySeconds: Double, rate: Double) -> Int {
        let kept = Double(keptSamples(views, earlySeconds: earlySeconds)) * max(1, rate / views.sampleRate)
        return 8 * neededViews(of: views.sources[source]).count * Int(kept)
    }

    /// Returns a source's views in order of yaw, 0..<2π. If a circle has more views than `RoomResponses.preparedYaws`,
    /// views between the prepared yaws are dropped.
    private static func neededViews(of source: RoomViews.Source) -> [(yaw: Double, key: Int)] {
        let full = 2 * Double.pi
        let sorted = source.views
            .map { (yaw: $0.yaw - full * ($0.yaw / full + 1e-9).rounded(.down), key: $0.key) }
            .sorted { $0.yaw < $1.yaw }
        guard source.views.count > RoomResponses.preparedYaws, RoomAssignment.isRing(source) else { return sorted }
        let step = full / Double(RoomResponses.preparedYaws)
        return sorted.filter { abs(remainder($0.yaw, step)) <= max(0.002, .pi / Double(source.views.count)) }
    }

    /// Returns the rows at the session's sample rate, scaled so that the level of a convolution does not depend on the
    /// rate.
    private static func converted(
        _ rows: [Float], count: Int, _ views: RoomViews, to rate: Double
    ) throws(RoomError) -> [[Float]] {
        var result = rows
        if views.sampleRate != rate {
            do {
                result = try SampleRateConverter.convert(
                    rows, count: count, inputRate: views.sampleRate, outputRate: rate)
            } catch {
                throw .conversion(path: views.path, from: views.sampleRate, to: rate, reason: error.reason)
            }
            let scale = Float(views.sampleRate / rate)
            for i in result.indices { result[i] *= scale }
        }
        let length = result.count / count
        return (0..<count).map { Array(result[($0 * length)..<(($0 + 1) * length)]) }
    }

    /// Whether any view has sound. Otherwise nothing can be played.
    var isHeard: Bool { !yaws.isEmpty }

    /// Number of samples before the direct sound, mean over the ears that have sound; 0 if neither has. The direct
    /// sound begins with the first sample that reaches a tenth of the ear's peak.
    var onset: Double {
        let places = whole.compactMap { row -> Double? in
            let peak = row.reduce(0) { max($0, abs($1)) }
            guard peak > 0 else { return nil }
            return row.firstIndex { abs($0) >= 0.1 * peak }.map(Double.init)
        }
        return places.isEmpty ? 0 : places.reduce(0, +) / Double(places.count)
    }

    /// Returns both ears' early part at a yaw, interpolated between the neighbouring views. Across a gap wider than
    /// `WideBlend.widest` the nearest view is held, with a crossfade in the middle.
    func early(at yaw: Double, with blend: ViewBlend, wide: WideBlend) -> [[Float]] {
        let full = 2 * Double.pi
        guard yaws.count > 1 else { return early[0] }
        let place = yaw - full * (yaw / full + 1e-9).rounded(.down)
        let next = yaws.firstIndex { $0 > place + 1e-9 } ?? 0
        let before = (next + yaws.count - 1) % yaws.count
        let gap = yaws[next] - yaws[before] + (next <= before ? full : 0)
        var along = place - yaws[before]
        if along < -1e-6 { along += full }
        // Within a tenth of a degree of a measured yaw the view is returned unchanged.
        if along < 0.002 { return early[before] }
        if gap - along < 0.002 { return early[next] }
        let share = along / gap
        if gap > RoomAssignment.widestStep, gap <= WideBlend.widest {
            return wide.between(
                early[before], early[next], share: share, gap: gap,
                looks: [yaws[before], yaws[before] + gap, yaws[before] + along], loudspeaker: loudspeaker)
        }
        let held = max(0, min(1, (along - gap / 2) / RoomAssignment.widestStep + 0.5))
        return (0..<2).map {
            blend.between(
                early[before][$0], early[next][$0], share: gap > WideBlend.widest ? held : share, gap: min(gap, 0.35))
        }
    }
}
