import Geometry
import Signal

/// Head-related responses for every direction at one session rate: a dense grid of time-aligned responses, each with a
/// delay per ear.
///
/// Immutable after `init`. Owns the memory of its handles and must outlive them.
package final class FilterField: Sendable {
    /// Sample rate of the responses.
    package let sampleRate: SampleRate
    /// Length of every played response, samples.
    package let tapCount: Int
    /// Mean arrival of a frontal source in a played response, samples; feeds without a direction are delayed by it.
    package let onsetFrames: Double
    /// Number of points of the grid.
    let pointCount: Int
    /// Number of fields on the grid, one for each distance of sources; the first is for all sources without their own.
    package let shellCount: Int
    /// The field as pointers and numbers. Valid while this object lives.
    package let handle: FieldHandle

    /// Responses on a grid, made by `FieldPreparation` or in closed form.
    struct Content {
        var grid: RingGrid
        /// Responses `[shell][point][ear][tap]`, `alignedTaps` each.
        var responses: [Float]
        var alignedTaps: Int
        /// Delays `[shell][point][ear]`, samples ≥ 0.
        var delays: [Float]
        /// Position of the onsets in the aligned responses, samples.
        var alignedOnset: Double
        /// Samples played around delayed responses.
        var margins = DelayMargins()
        /// Number of fields.
        var shellCount = 1
        /// False if all delays are 0 and responses play as stored, without an interpolator.
        var isDelayed = true
        /// Least number of taps to play, so that stored responses fit.
        var minimumTapCount = 0
        /// Stored responses for exact playing: `responses` returns `[direction][ear][tap]` for the field's tap count;
        /// `spacing` is the smallest angle between directions, radians. Nil without them.
        var measured: (directions: [Direction<Head>], spacing: Double, responses: (Int) -> [Float])?

        /// Length of every played response, samples, with delays and the interpolator.
        var tapCount: Int {
            let delayed = isDelayed ? margins.lead + margins.tail + Int(delays.max() ?? 0) + 1 : 0
            return max(minimumTapCount, alignedTaps + delayed)
        }
    }

    init(_ content: Content, sampleRate: SampleRate) {
        self.sampleRate = sampleRate
        let aligned = content.alignedTaps
        let stride = (aligned + 15) / 16 * 16
        let tapCount = content.tapCount
        self.tapCount = tapCount
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
        let delays = ConstantMemory(Array(content.delays[..<rows]))
        let lookup = RingGridLookup(content.grid)
        var measured = MeasuredDirections.none
        if let stored = content.measured {
            measured = MeasuredDirections(
                directions: stored.directions, responses: stored.responses(tapCount), taps: tapCount,
                nearestSpacing: stored.spacing)
        }
        handle = FieldHandle(
            tapCount: tapCount, scratchCount: FieldHandle.scratchCount(alignedStride: stride), grid: lookup,
            responses: ConstantMemory(responses), alignedTaps: aligned, alignedStride: stride,
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
    }

    deinit {
        handle.responses.deallocate()
        handle.delays.deallocate()
        handle.kernel?.deallocate()
        handle.grid.deallocate()
        handle.measured.deallocate()
    }

    /// Returns the pair of responses for one direction of one of the `shellCount` fields, `tapCount` samples each. Off
    /// the audio thread.
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

    /// Returns a field without effect: a unit impulse without delay at both ears from every direction.
    package static func impulse(sampleRate: SampleRate) -> FilterField {
        let grid = RingGrid(stepDegrees: 90)
        var responses = [Float](repeating: 0, count: grid.count * 2 * 16)
        for row in 0..<(2 * grid.count) { responses[row * 16] = 1 }
        return FilterField(
            Content(
                grid: grid, responses: responses, alignedTaps: 16, delays: [Float](repeating: 0, count: 2 * grid.count),
                alignedOnset: 0, isDelayed: false), sampleRate: sampleRate)
    }
}
