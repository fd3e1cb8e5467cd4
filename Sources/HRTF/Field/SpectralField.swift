import Convolution
import Geometry
import Glibc
import Signal

/// A filter field prepared for one division of filters into parts (`FilterForm`): the spectrum of every grid point's
/// aligned responses. The filters of a source in any direction are then a weighted sum of four spectra and a phase,
/// without any transform.
///
/// Immutable after `init`; it retains its field. Memory: 256 bytes per grid point and chunk of the form.
package final class SpectralField: Sendable {
    /// The field in the time domain.
    package let field: FilterField
    /// Division of the filters into parts.
    package let form: FilterForm
    /// Handle that the audio thread evaluates. Valid while this object exists.
    package let handle: SpectralFieldHandle

    private static let played = SharedObjects<Played, SpectralField, Void>()

    private struct Played: Hashable {
        var field: ObjectIdentifier
        var form: FilterForm
    }

    /// Returns the spectra of a field for a form, as `init` does. Stages (renderers of virtual loudspeakers) that play
    /// the same field in the same form share the spectra.
    package static func shared(_ field: FilterField, form: FilterForm) -> SpectralField {
        let key = Played(field: ObjectIdentifier(field), form: form)
        // A field that is found is alive, so no other field has its identifier.
        if let (found, _) = played.find(key) { return found }
        let made = SpectralField(field, form: form)
        played.add(made, (), as: key)
        return made
    }

    /// Computes the spectra for filters of a form returned by `field.form`. Takes some milliseconds.
    package init(_ field: FilterField, form: FilterForm) {
        precondition(form.tapCount >= field.tapCount)
        self.field = field
        self.form = form
        let source = field.handle
        let bins = form.bins
        let spectra = BinauralSpectra(
            form, count: field.shellCount * field.pointCount,
            split: LowSplit(form, field.extent, end: source.lowStart + source.lowTaps)
        ) { point, ear, response, low in
            let row = 2 * point + ear
            Samples.copy(source.responses.base + row * source.wideStride, to: response, count: source.wideTaps)
            Samples.copy(source.low.base + row * source.lowTaps, to: low + source.lowStart, count: source.lowTaps)
        }
        let measured = BinauralSpectra(
            form, count: source.measured.count, split: nil
        ) { index, ear, response, _ in
            let samples = source.measured.response(index, ear: ear, taps: source.tapCount)
            Samples.copy(samples, to: response, count: min(source.tapCount, form.length))
        }
        let blended = SpectralField.blendedChunks(bins: bins)
        let images = SpectralField.makeImages(bins: bins, chunks: blended)
        let low = 8 * form.lowChunks
        handle = SpectralFieldHandle(
            bins: bins, chunks: form.chunks, lowParts: form.lowOffsets.count, lowChunks: form.lowChunks,
            pointCount: field.pointCount, scale: 1 / Float(bins), field: source,
            spectra: spectra.memory, measuredSpectra: measured.memory, blendFrom: blended.lowerBound,
            blendTo: blended.upperBound, images: ConstantMemory(images),
            squares: SpectralField.makeSquares(0..<bins, of: bins),
            lowSquares: SpectralField.makeSquares(-low..<low, of: bins),
            powers: SpectralField.makePowers(
                spectra.memory, points: field.shellCount * field.pointCount, form: form,
                sampleRate: field.sampleRate.hertz))
    }

    deinit {
        handle.spectra.deallocate()
        handle.measuredSpectra.deallocate()
        handle.images.deallocate()
        handle.squares.deallocate()
        handle.lowSquares.deallocate()
        handle.powers.deallocate()
    }

    /// Returns the pair of responses that are played for one direction, `field.tapCount` samples each. Not for the
    /// audio thread. They differ from `field.responses` by the images of the interpolator; see `handle.evaluate`.
    package func responses(_ direction: Direction<Head>) -> (left: [Float], right: [Float]) {
        let filter = AlignedMemory.allocate(Float.self, count: form.floats)
        defer { filter.deallocate() }
        handle.evaluate(
            x: direction.unit.x, y: direction.unit.y, z: direction.unit.z, gain: 1, to: filter, stride: 64)
        let taps = FilterTaps(form)
        taps.read(filter, stride: 64, fourier: OddFourier(length: form.length))
        return (
            (0..<field.tapCount).map { taps[0][$0] }, (0..<field.tapCount).map { taps[1][$0] }
        )
    }

    /// Writes filters that delay both ears by `delay` samples and multiply them by `left` and `right`, in the layout of
    /// `StageFilters`. Not for the audio thread.
    package func pass(delay: Int, left: Float, right: Float, to filter: UnsafeMutablePointer<Float>, stride: Int) {
        for k in 0..<handle.bins {
            // θ_k·delay = 2π·(4k + 1)·delay/(4·bins), without whole turns.
            let turns = (4 * k + 1) * delay % (4 * handle.bins)
            let angle = -2 * Double.pi * Double(turns) / Double(4 * handle.bins)
            let at = filter + k / 16 * stride + k % 16
            let (re, im) = (Float(cos(angle)) * handle.scale, Float(sin(angle)) * handle.scale)
            (at[0], at[16], at[32], at[48]) = (left * re, left * im, right * re, right * im)
        }
        for chunk in (handle.bins / 16)..<handle.chunks { Samples.clear(filter + chunk * stride, count: 64) }
    }

    /// Returns the power of pink noise as a sum over both ears, `[point]`: bins are weighted by 1/frequency, and
    /// equally below 75 Hz.
    private static func makePowers(
        _ spectra: ConstantMemory<Float>, points: Int, form: FilterForm, sampleRate: Double
    ) -> ConstantMemory<Float> {
        let bins = form.bins
        // Bins cover the whole circle, θ_k = 2π(2k + ½)/n; those of its second half are negative frequencies.
        let weights = (0..<bins).map { k -> Float in
            let turn = (Double(k) + 0.25) / Double(bins)
            return Float(1 / max(75, min(turn, 1 - turn) * sampleRate))
        }
        nonisolated(unsafe) let powers = AlignedMemory.allocate(Float.self, count: points)
        inParallel(points, chunk: 1024) { range in
            for point in range {
                let row = spectra.base + point * form.floats
                var power = SIMD16<Float>.zero
                for chunk in 0..<(bins / 16) {
                    let weight = weights.withUnsafeBufferPointer { weights in
                        SIMD16<Float>(weights[(16 * chunk)..<(16 * chunk + 16)])
                    }
                    for part in 0..<4 {
                        let value = UnsafeRawPointer(row + 64 * chunk + 16 * part).load(as: SIMD16<Float>.self)
                        power += weight * value * value
                    }
                }
                (powers + point).initialize(to: power.sum())
            }
        }
        return ConstantMemory(powers)
    }
}

/// Spectra, for two ears, of a number of stored responses: filters of one form, one after the other.
struct BinauralSpectra {
    let memory: ConstantMemory<Float>

    /// Transforms the responses that `load` writes for an index and an ear. `load` gets two zeroed rows, each as long
    /// as a filter: one for a response, and one for its low part, which is added to the response and divided by
    /// `split`. `load` runs on several threads at once.
    init(
        _ form: FilterForm, count: Int, split: LowSplit?,
        load: (Int, Int, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) -> Void
    ) {
        let target = AlignedMemory.allocate(Float.self, count: max(1, count) * form.floats)
        target.initialize(repeating: 0, count: max(1, count) * form.floats)
        nonisolated(unsafe) let filters = target
        inParallel(count, chunk: 512) { range in
            Self.fill(filters, range, form, split: split, load: load)
        }
        memory = ConstantMemory(target)
    }
    /// Transforms the responses of a range of indices.
    private static func fill(
        _ target: UnsafeMutablePointer<Float>, _ range: Range<Int>, _ form: FilterForm, split: LowSplit?,
        load: (Int, Int, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) -> Void
    ) {
        let fourier = OddFourier(length: form.length)
        let lowBins = LowBins(form)
        let frames = form.reach
        let responses = PlanarBlock(channels: 2, frames: frames)
        let low = PlanarBlock(channels: 2, frames: frames)
        let parts = PlanarBlock(channels: 2, frames: form.length)
        let spectrum = PlanarBlock(channels: 2, frames: form.length)
        let inputs: [UnsafePointer<Float>?] = [UnsafePointer(parts[0]), UnsafePointer(parts[1])]
        let outputs: [UnsafeMutablePointer<Float>?] = [spectrum[0], spectrum[1]]
        for index in range {
            let filter = target + index * form.floats
            for ear in 0..<2 {
                Samples.clear(responses[ear], count: frames)
                Samples.clear(low[ear], count: frames)
                load(index, ear, responses[ear], low[ear])
            }
            for part in form.lowOffsets.indices.reversed() {
                for ear in 0..<2 {
                    Samples.clear(parts[ear], count: form.length)
                    split?.take(part, from: low[ear], to: parts[ear])
                }
                fourier.forward(count: 2, rows: inputs, spectra: outputs)
                for ear in 0..<2 {
                    lowBins.gather(
                        spectrum[ear], stride: 32,
                        to: filter + (form.bins / 16 + part * form.lowChunks) * 64 + 32 * ear, targetStride: 64)
                }
            }
            for ear in 0..<2 {
                for i in 0..<form.length { parts[ear][i] = responses[ear][i] + low[ear][i] }
            }
            fourier.forward(count: 2, rows: inputs, spectra: [filter, filter + 32], stride: 64)
        }
    }
}
