import Convolution
import Geometry
import Signal

/// Head-related responses for every direction at one session rate: a dense grid of time-aligned responses, each with a
/// delay per ear.
///
/// Immutable after `init`. The object owns the memory of its handles, and must exist as long as they are used.
package final class FilterField: Sendable {
    /// Sample rate of the responses.
    package let sampleRate: SampleRate
    /// Length of every played response, samples.
    package let tapCount: Int
    /// Mean arrival of a frontal source in a played response, samples. Feeds without a direction are delayed by this
    /// time.
    package let onsetFrames: Double
    /// Earliest onset in the played responses, samples.
    let firstOnset: Double
    /// Lengths of the parts of the responses. They determine how filters are divided for the transforms (`form`).
    let extent: FilterForm.Extent
    /// Points of the grid.
    let pointCount: Int
    /// Number of fields on the grid, one for each distance of sources. The first is for all sources without a distance
    /// of their own.
    package let shellCount: Int
    /// The field as pointers and numbers. Valid while this object lives.
    package let handle: FieldHandle

    /// Responses on a grid, computed by `FieldPreparation` or from a model.
    struct Content {
        var grid: RingGrid
        /// `[shell][point][ear][tap]`, `wideTaps` each; without the low part.
        var responses: [Float]
        var wideTaps: Int
        /// The responses' low part.
        var low = LowRows()
        /// `[shell][point][ear]`, samples ≥ 0.
        var delays: [Float]
        /// Position of the onsets in the aligned responses, samples.
        var alignedOnset: Double
        /// Numbers of samples that are played before and after delayed responses.
        var margins = DelayMargins()
        /// Number of fields on the grid, one for each distance of sources.
        var shellCount = 1
        /// False if all delays are 0 and responses play as stored, without an interpolator.
        var isDelayed = true
        /// Least number of taps to play, so that stored responses fit completely.
        var minimumTapCount = 0
        /// Stored responses that play unchanged. `responses` returns `[direction][ear][tap]` for the field's tap count;
        /// `spacing` is the smallest angle between directions, radians. Nil without stored responses.
        var measured: (directions: [Direction<Head>], spacing: Double, responses: (Int) -> [Float])?

        /// Number of samples in an aligned response with its low part.
        var alignedTaps: Int { max(wideTaps, low.end) }
        /// Length of every played response, samples, including delays and the interpolator.
        var tapCount: Int { max(minimumTapCount, alignedTaps + delayedTaps) }
        /// Number of samples that delays and the interpolator add.
        var delayedTaps: Int { isDelayed ? margins.lead + margins.tail + Int(delays.max() ?? 0) + 1 : 0 }
    }

    /// Low part of aligned responses: the low frequencies after sample `wideTaps`, and this part's fade-in before that
    /// sample.
    struct LowRows: Sendable {
        /// `[shell][point][ear][tap]`, `taps` each; empty if the responses have no low part.
        var rows: [Float] = []
        var taps = 0
        /// Sample of an aligned response at which a row begins.
        var start = 0
        /// Highest frequency of the rows, as a share of the sample rate.
        var limit = 0.0
        /// Sample of an aligned response at which rows end.
        var end: Int { taps > 0 ? start + taps : 0 }
    }

    init(_ content: Content, sampleRate: SampleRate) {
        self.sampleRate = sampleRate
        let aligned = content.wideTaps
        let stride = (aligned + 15) / 16 * 16
        let tapCount = content.tapCount
        self.tapCount = tapCount
        let low = content.low
        extent = FilterForm.Extent(
            wide: max(content.minimumTapCount, content.wideTaps + content.delayedTaps),
            low: low.taps > 0 ? low.end + content.delayedTaps : 0,
            spread: content.isDelayed ? Int(content.delays.max() ?? 0) + 1 : 0,
            lead: content.isDelayed ? content.margins.lead : 0, limit: low.limit)
        let points = content.grid.count
        pointCount = points
        shellCount = content.shellCount
        let rows = 2 * points * content.shellCount
        let responses = AlignedMemory.allocate(Float.self, count: rows * stride)
        responses.initialize(repeating: 0, count: rows * stride)
        content.responses.withUnsafeBufferPointer { source in
            guard let base = source.baseAddress, source.count == rows * aligned else {
                preconditionFailure("a grid of \(points) points has \(source.count) samples of responses")
            }
            for row in 0..<rows { (responses + row * stride).update(from: base + row * aligned, count: aligned) }
        }
        precondition(content.delays.count >= rows)
        precondition(low.rows.count == (low.taps > 0 ? rows * low.taps : 0))
        let delays = ConstantMemory(Array(content.delays[..<rows]))
        let lookup = RingGridLookup(content.grid)
        var measured = MeasuredDirections.none
        if let stored = content.measured {
            measured = MeasuredDirections(
                directions: stored.directions, responses: stored.responses(tapCount), taps: tapCount,
                nearestSpacing: stored.spacing)
        }
        handle = FieldHandle(
            tapCount: tapCount, scratchCount: FieldHandle.scratchCount(alignedTaps: content.alignedTaps), grid: lookup,
            responses: ConstantMemory(responses), wideTaps: aligned, wideStride: stride,
            low: ConstantMemory(low.rows), lowTaps: low.taps, lowStart: low.start, alignedTaps: content.alignedTaps,
            delays: delays, lead: content.margins.lead, tail: content.margins.tail,
            kernel: content.isDelayed ? ConstantMemory(DelayKernel.makeTable()) : nil,
            measured: measured)
        let front = lookup.cell(x: 1, y: 0, z: 0)
        var arrival = content.alignedOnset + (content.isDelayed ? Double(content.margins.lead) : 0)
        for corner in 0..<4 {
            let point = Int(front.points[corner])
            arrival += front.weights[corner] * Double(delays[2 * point] + delays[2 * point + 1]) / 2
        }
        onsetFrames = arrival
        firstOnset =
            content.alignedOnset + (content.isDelayed ? Double(content.margins.lead) : 0)
            + Double(content.delays[..<rows].min() ?? 0)
    }

    /// Returns a checksum of the field's grid of responses, delays and numbers. It identifies the field in the cache.
    /// Takes some milliseconds.
    package func fingerprint() -> UInt64 {
        let numbers = [
            sampleRate.hertz, Double(tapCount), onsetFrames, Double(handle.lead), Double(handle.tail),
            Double(handle.measured.count),
        ]
        var sum = numbers.withUnsafeBytes { CacheEntries.checksum($0) }
        let rows = 2 * pointCount * shellCount
        func add(_ memory: ConstantMemory<Float>, _ count: Int) {
            sum = CacheEntries.checksum(
                UnsafeRawBufferPointer(UnsafeBufferPointer(start: memory.base, count: count)), from: sum)
        }
        add(handle.responses, rows * handle.wideStride)
        add(handle.low, rows * handle.lowTaps)
        add(handle.delays, rows)
        return sum
    }

    deinit {
        handle.responses.deallocate()
        handle.low.deallocate()
        handle.delays.deallocate()
        handle.kernel?.deallocate()
        handle.grid.deallocate()
        handle.measured.deallocate()
    }

    /// Returns the division of the field's responses for slices of `slice` frames. The main part has at least `taps`
    /// taps.
    package func form(slice: Int, atLeast taps: Int = 1) -> FilterForm {
        guard extent.low > 0 else { return FilterForm(slice: slice, tapCount: max(tapCount, taps)) }
        var extent = extent
        extent.wide = max(extent.wide, taps)
        return FilterForm(slice: slice, extent)
    }

    /// Returns the pair of responses for one direction of the field number `shell` (below `shellCount`), `tapCount`
    /// samples each. Not for the audio thread.
    package func responses(_ direction: Direction<Head>, shell: Int = 0) -> (left: [Float], right: [Float]) {
        precondition(shell >= 0 && shell < shellCount)
        let handle = handle.shell(shell, points: pointCount)
        let scratch = AlignedMemory.allocate(Float.self, count: handle.scratchCount)
        defer { scratch.deallocate() }
        var left = [Float](repeating: 0, count: tapCount)
        var right = left
        left.withUnsafeMutableBufferPointer { l in
            right.withUnsafeMutableBufferPointer { r in
                guard let l = l.baseAddress, let r = r.baseAddress else { return }
                handle.evaluate(
                    x: direction.unit.x, y: direction.unit.y, z: direction.unit.z, scratch: scratch, left: l, right: r)
            }
        }
        return (left, right)
    }

    /// Returns a field without effect: a unit impulse without delay at both ears for every direction.
    package static func impulse(sampleRate: SampleRate) -> FilterField {
        let grid = RingGrid(stepDegrees: 90)
        var responses = [Float](repeating: 0, count: grid.count * 2 * 16)
        for row in 0..<(2 * grid.count) { responses[row * 16] = 1 }
        return FilterField(
            Content(
                grid: grid, responses: responses, wideTaps: 16, delays: [Float](repeating: 0, count: 2 * grid.count),
                alignedOnset: 0, isDelayed: false), sampleRate: sampleRate)
    }
}
