import Convolution
import Geometry
import Glibc
import Signal

/// A filter field in the frequency domain, for one length of transforms: the spectrum of every grid point's aligned
/// responses. A source's filters in any direction are a weighted sum of four spectra with a phase, without a transform.
///
/// Immutable after `init`; holds its `FilterField`. Memory: 8·length bytes per grid point: 26 MB for Debian's KEMAR at
/// slices of 64.
package final class SpectralField: Sendable {
    /// The field in the time domain.
    package let field: FilterField
    /// Pointers for the audio thread, which evaluates the field. Valid while this object lives.
    package let handle: SpectralFieldHandle

    /// Computes spectra for transforms of `length` samples, at least the field's taps. Takes some milliseconds.
    package init(_ field: FilterField, length: Int) {
        precondition(length >= field.tapCount)
        self.field = field
        let source = field.handle
        let fourier = OddFourier(length: length)
        let spectra = BinauralSpectra(fourier, count: field.shellCount * field.pointCount) { point, ear in
            (source.responses.base + (2 * point + ear) * source.alignedStride, source.alignedTaps)
        }
        let measured = BinauralSpectra(fourier, count: source.measured.count) { index, ear in
            (source.measured.response(index, ear: ear, taps: source.tapCount), source.tapCount)
        }
        let blended = SpectralField.blendedChunks(bins: fourier.bins)
        let images = SpectralField.makeImages(bins: fourier.bins, chunks: blended)
        handle = SpectralFieldHandle(
            bins: fourier.bins, pointCount: field.pointCount, scale: 1 / Float(fourier.bins), field: source,
            spectra: spectra.memory, measuredSpectra: measured.memory, blendFrom: blended.lowerBound,
            blendTo: blended.upperBound, images: ConstantMemory(images),
            squares: SpectralField.makeSquares(bins: fourier.bins),
            powers: SpectralField.makePowers(
                spectra.memory, points: field.shellCount * field.pointCount, bins: fourier.bins,
                sampleRate: field.sampleRate.hertz))
    }

    deinit {
        handle.spectra.deallocate()
        handle.measuredSpectra.deallocate()
        handle.images.deallocate()
        handle.squares.deallocate()
        handle.powers.deallocate()
    }

    /// Returns the pair of responses played for one direction, `field.tapCount` samples each; off the audio thread.
    /// They differ from the field's own by the images of the interpolator, see `handle.evaluate`.
    package func responses(_ direction: Direction<Head>) -> (left: [Float], right: [Float]) {
        let fourier = OddFourier(length: 2 * handle.bins)
        let filter = AlignedMemory.allocate(Float.self, count: 4 * handle.bins)
        defer { filter.deallocate() }
        handle.evaluate(
            x: direction.unit.x, y: direction.unit.y, z: direction.unit.z, gain: 1, to: filter, stride: 64)
        let split = PlanarBlock(channels: 2, frames: fourier.length)
        for chunk in 0..<(handle.bins / 16) {
            for ear in 0..<2 {
                Samples.copy(filter + 64 * chunk + 32 * ear, to: split[ear] + 32 * chunk, count: 32)
            }
        }
        let ears = PlanarBlock(channels: 2, frames: field.tapCount)
        fourier.inverse(
            count: 2, spectra: [UnsafePointer(split[0]), UnsafePointer(split[1])], from: 0, frames: field.tapCount,
            rows: [ears[0], ears[1]])
        return (
            (0..<field.tapCount).map { ears[0][$0] }, (0..<field.tapCount).map { ears[1][$0] }
        )
    }

    /// Writes filters that only delay, by whole samples, and scale each ear, in the layout of `StageFilters`. Off the
    /// audio thread.
    package func pass(delay: Int, left: Float, right: Float, to filter: UnsafeMutablePointer<Float>, stride: Int) {
        for k in 0..<handle.bins {
            // θ_k·delay = 2π·(4k + 1)·delay/(4m), reduced by whole turns.
            let turns = (4 * k + 1) * delay % (4 * handle.bins)
            let angle = -2 * Double.pi * Double(turns) / Double(4 * handle.bins)
            let at = filter + k / 16 * stride + k % 16
            let (re, im) = (Float(cos(angle)) * handle.scale, Float(sin(angle)) * handle.scale)
            (at[0], at[16], at[32], at[48]) = (left * re, left * im, right * re, right * im)
        }
    }

    /// Returns the power of pink noise at both ears, `[point]`: each bin weighted by 1/frequency, from 75 Hz on.
    private static func makePowers(
        _ spectra: ConstantMemory<Float>, points: Int, bins: Int, sampleRate: Double
    ) -> ConstantMemory<Float> {
        // Bins cover the whole circle, θ_k = 2π(2k + ½)/n: those of its second half are negative frequencies.
        let weights = (0..<bins).map { k -> Float in
            let turn = (Double(k) + 0.25) / Double(bins)
            return Float(1 / max(75, min(turn, 1 - turn) * sampleRate))
        }
        let powers = AlignedMemory.allocate(Float.self, count: points)
        for point in 0..<points {
            let row = spectra.base + point * 4 * bins
            var power: Float = 0
            for chunk in 0..<(bins / 16) {
                for lane in 0..<64 {
                    let value = row[64 * chunk + lane]
                    power += weights[16 * chunk + lane % 16] * value * value
                }
            }
            (powers + point).initialize(to: power)
        }
        return ConstantMemory(powers)
    }
}

/// Spectra of stored responses for two ears, `[response][chunk of 16 bins][left re, left im, right re, right im]`.
struct BinauralSpectra {
    let memory: ConstantMemory<Float>

    /// Transforms responses; `response` returns the samples and their number for an index and an ear.
    init(_ fourier: borrowing OddFourier, count: Int, response: (Int, Int) -> (UnsafePointer<Float>, Int)) {
        let (length, bins) = (fourier.length, fourier.bins)
        let target = AlignedMemory.allocate(Float.self, count: max(1, count) * 4 * bins)
        target.initialize(repeating: 0, count: max(1, count) * 4 * bins)
        let padded = PlanarBlock(channels: 2, frames: length)
        for index in 0..<count {
            for ear in 0..<2 {
                let (samples, taps) = response(index, ear)
                Samples.clear(padded[ear], count: length)
                Samples.copy(samples, to: padded[ear], count: min(taps, length))
            }
            let at = target + index * 4 * bins
            fourier.forward(
                count: 2, rows: [UnsafePointer(padded[0]), UnsafePointer(padded[1])], spectra: [at, at + 32], stride: 64
            )
        }
        memory = ConstantMemory(target)
    }
}
