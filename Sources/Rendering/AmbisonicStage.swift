import Convolution
import Geometry
import Signal
import Soundstage

/// Rendering of a sound field to two ears: the field is rotated against the head sample by sample, then decoded by one
/// filter per channel and ear.
///
/// Runs beside the loudspeakers' convolution in `StageGraph`, on the same grid of slices, and adds to the same ears.
/// The field is rotated in the time domain by matrices that change linearly through each fade (one per degree, see
/// `HarmonicRotation`), so the filters change only when another set is loaded. Made and freed by `AmbisonicRenderer`,
/// reached by pointer on the audio thread.
struct AmbisonicStage: ~Copyable {
    /// Slices between two moves of the history to the beginning of its rows.
    private static var slicesBetweenMoves: Int { @_noLocks get { 8 } }

    let order: Int
    let channelCount: Int
    let slice: Int
    let fade: Int
    let exchange: BankExchange
    let fourier: OddFourier
    /// `[channel of the input]`: its index in ACN order and its gain.
    let places: UnsafeMutablePointer<(acn: Int, gain: Float)>
    /// `[ACN][frame]`: the slice's input, scaled to SN3D.
    let incoming: PlanarBlock
    /// `[ACN][frame]`: the field in head axes; the last `length` samples before the slice's end begin at `start`.
    let turned: PlanarBlock
    var start = 0
    /// `[ACN]`: spectrum of the channel.
    let spectra: PlanarBlock
    /// `[2·state + ear]`: spectra, and samples.
    let sums: PlanarBlock
    let ears: PlanarBlock
    /// Filters in use, and those that they have just replaced.
    var filters: AmbisonicFiltersReference
    var parting: AmbisonicFiltersReference?

    /// Matrices for the head's pose at the slice's beginning and at the end of each fade, and their change in each
    /// fade.
    private var rotation: HarmonicRotation
    private let matrices: UnsafeMutablePointer<Float>
    private let changes: UnsafeMutablePointer<Float>
    private let moved: UnsafeMutablePointer<Bool>
    private var seen = Quaternion.identity
    /// Pointers into the rows above, for the kernels.
    private let turnInputs: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let turnOutputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let windows: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let applied: UnsafeMutablePointer<UnsafePointer<Float>?>

    /// Makes a field at rest, facing the front.
    init(
        _ format: AmbisonicFormat, slice: Int, fade: Int, fourier: consuming OddFourier,
        filters: AmbisonicFiltersReference, exchange: BankExchange
    ) {
        order = format.order
        channelCount = format.channelCount
        self.slice = slice
        self.fade = fade
        self.exchange = exchange
        self.filters = filters
        places = .allocate(capacity: channelCount)
        for channel in 0..<channelCount {
            let place = format.place(ofChannel: channel)
            (places + channel).initialize(to: (place.acn, Float(place.gain)))
        }
        incoming = PlanarBlock(channels: channelCount, frames: slice)
        turned = PlanarBlock(
            channels: channelCount, frames: fourier.length + AmbisonicStage.slicesBetweenMoves * slice)
        spectra = PlanarBlock(channels: channelCount, frames: 2 * fourier.bins)
        sums = PlanarBlock(channels: 4, frames: 2 * fourier.bins)
        ears = PlanarBlock(channels: 4, frames: slice)
        self.fourier = fourier
        let (size, fades) = (HarmonicRotation.elementCount(order: format.order), slice / fade)
        rotation = HarmonicRotation(order: format.order)
        matrices = AlignedMemory.allocate(Float.self, count: size * (fades + 1))
        matrices.initialize(repeating: 0, count: size * (fades + 1))
        changes = AlignedMemory.allocate(Float.self, count: size * fades)
        changes.initialize(repeating: 0, count: size * fades)
        moved = .allocate(capacity: fades)
        moved.initialize(repeating: false, count: fades)
        turnInputs = .allocate(capacity: channelCount)
        turnInputs.initialize(repeating: nil, count: channelCount)
        turnOutputs = .allocate(capacity: channelCount)
        turnOutputs.initialize(repeating: nil, count: channelCount)
        windows = .allocate(capacity: channelCount)
        windows.initialize(repeating: nil, count: channelCount)
        applied = .allocate(capacity: 2 * channelCount)
        applied.initialize(repeating: nil, count: 2 * channelCount)
    }

    deinit {
        places.deallocate()
        matrices.deallocate()
        changes.deallocate()
        moved.deallocate()
        turnInputs.deallocate()
        turnOutputs.deallocate()
        windows.deallocate()
        applied.deallocate()
    }

    /// Resets to silence.
    @_noLocks
    mutating func restart() {
        start = 0
        for channel in 0..<channelCount { Samples.clear(turned[channel], count: turned.frameCapacity) }
    }

    /// Begins a slice where the last one ended; `anew`: the stream begins, with the head at this pose.
    @_noLocks
    mutating func beginSlice(headToStage: Quaternion, anew: Bool) {
        retireReplaced()
        if let address = exchange.take()?.address {
            parting = filters
            filters = AmbisonicFiltersReference(address: address)
            // Nothing has been rendered with the old filters.
            if anew { retireReplaced() }
        }
        if anew {
            rotation.turn(headToStage.conjugate, to: matrices)
            seen = headToStage
        } else {
            let size = HarmonicRotation.elementCount(order: order)
            Samples.copy(matrices + size * (slice / fade), to: matrices, count: size)
        }
    }

    /// Sets the head's pose at the end of a fade, 1…slice/fade, in order. Cost: `HarmonicRotation.turn` where it moved.
    @_noLocks
    mutating func aim(fade index: Int, headToStage: Quaternion) {
        let size = HarmonicRotation.elementCount(order: order)
        let (before, target) = (matrices + size * (index - 1), matrices + size * index)
        let step = SIMD4(
            headToStage.w - seen.w, headToStage.x - seen.x, headToStage.y - seen.y, headToStage.z - seen.z)
        // 2e-7 rad, which no filter resolves.
        moved[index - 1] = (step * step).sum() > 1e-14
        guard moved[index - 1] else {
            Samples.copy(before, to: target, count: size)
            return
        }
        seen = headToStage
        rotation.turn(headToStage.conjugate, to: target)
        let change = changes + size * (index - 1)
        for i in 0..<size { change[i] = target[i] - before[i] }
    }

    /// Reads finite samples of all channels for the slice's frames from `position` on.
    @_noLocks
    func take(
        _ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to position: Int, count: Int
    ) {
        for channel in 0..<channelCount {
            let (acn, gain) = places[channel]
            let samples = incoming[acn] + position
            Samples.copy(inputs[channel], to: samples, count: count)
            if gain != 1 { Samples.scale(samples, by: gain, count: count) }
        }
    }

    /// Adds frames `position`..<`position + count` of the slice to both ears.
    ///
    /// Cost of a whole slice: the rotation (2·Σ(2l + 1)² multiply-adds per frame), one transform per channel, the sum
    /// of channels × 2 products of spectra and two inverse transforms. A slice with a change of filters doubles the
    /// last two.
    @_noLocks
    mutating func add(
        from position: Int, count: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        let past = fourier.length - slice
        turn(from: position, count: count, past: past)
        for channel in 0..<channelCount {
            let row = turned[channel] + start
            windows[channel] = UnsafePointer(row)
            applied[channel] = filters.pointer.pointee.spectra[channel]
            if let parting { applied[channelCount + channel] = parting.pointer.pointee.spectra[channel] }
            // Frames of the slice that have not arrived are silence.
            if position == 0 && count < slice { Samples.clear(row + past + count, count: slice - count) }
        }
        fourier.forward(count: channelCount, rows: windows, spectra: Self.written(spectra))
        // A pattern: `==` would need the type's metadata.
        let states = if case .some = parting { 2 } else { 1 }
        SpectralSum.accumulate(
            bins: fourier.bins, terms: channelCount, inputs: Self.read(spectra), filters: applied,
            states: states, results: Self.written(sums), onto: false)
        fourier.inverse(
            count: 2 * states, spectra: Self.read(sums), from: past + position, frames: count,
            rows: Self.written(ears))
        if states == 1 {
            for i in 0..<count { left[i] += ears[0][i] }
            for i in 0..<count { right[i] += ears[1][i] }
        } else {
            for i in 0..<count {
                let old = 1 - Float(position + i) / Float(slice)
                left[i] += ears[0][i] + old * (ears[2][i] - ears[0][i])
                right[i] += ears[1][i] + old * (ears[3][i] - ears[1][i])
            }
        }
    }

    /// Ends a complete slice.
    @_noLocks
    mutating func endSlice() {
        start += slice
        guard start + fourier.length > turned.frameCapacity else { return }
        let kept = fourier.length - slice
        for channel in 0..<channelCount { Samples.copy(turned[channel] + start, to: turned[channel], count: kept) }
        start = 0
    }

    /// Rotates frames of the slice into the window's end.
    @_noLocks
    private func turn(from position: Int, count: Int, past: Int) {
        let size = HarmonicRotation.elementCount(order: order)
        for index in 0..<(slice / fade) {
            let first = max(position, index * fade)
            let frames = min(position + count, (index + 1) * fade) - first
            guard frames > 0 else { continue }
            for channel in 0..<channelCount {
                turnInputs[channel] = UnsafePointer(incoming[channel] + first)
                turnOutputs[channel] = turned[channel] + start + past + first
            }
            for degree in 0...order {
                let offset = size * index + HarmonicRotation.offset(ofDegree: degree)
                TurningMatrix.apply(
                    rows: 2 * degree + 1, inputs: turnInputs + degree * degree, from: matrices + offset,
                    change: moved[index] ? UnsafePointer(changes + offset) : nil, first: first - index * fade,
                    length: fade, frames: frames, outputs: turnOutputs + degree * degree)
            }
        }
    }

    /// Hands back filters that are out of use.
    @_noLocks
    private mutating func retireReplaced() {
        guard let old = parting else { return }
        exchange.retire(BankReference(address: old.address))
        parting = nil
    }

    /// Returns a block's rows for kernels that read them.
    @_noLocks
    private static func read(_ block: borrowing PlanarBlock) -> UnsafePointer<UnsafePointer<Float>?> {
        UnsafeRawPointer(block.pointers).assumingMemoryBound(to: UnsafePointer<Float>?.self)
    }

    /// Returns a block's rows for kernels that write them.
    @_noLocks
    private static func written(_ block: borrowing PlanarBlock) -> UnsafePointer<UnsafeMutablePointer<Float>?> {
        UnsafeRawPointer(block.pointers).assumingMemoryBound(to: UnsafeMutablePointer<Float>?.self)
    }
}
