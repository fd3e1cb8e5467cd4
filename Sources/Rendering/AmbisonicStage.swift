import Convolution
import Geometry
import Signal
import Soundstage

/// Rendering of a sound field to two ears. The field is rotated into head axes sample by sample, then decoded with one
/// filter per channel and ear.
///
/// The stage runs in `StageGraph` in parallel with the loudspeakers' convolution, on the same grid of slices, and adds
/// its output to the same ears. The field is rotated in the time domain by one matrix per degree (see
/// `HarmonicRotation`). The matrices change linearly through each fade. A rotation therefore needs no new filters; only
/// another HRTF set does. `AmbisonicRenderer` makes and frees the stage; the audio thread uses it by pointer.
struct AmbisonicStage: ~Copyable {
    /// Number of slices after which the history is moved to the beginning of its rows.
    private static var slicesBetweenMoves: Int { @_noLocks get { 8 } }

    let order: Int
    let channelCount: Int
    let slice: Int
    let fade: Int
    let exchange: BankExchange
    let fourier: OddFourier
    /// `[channel of the input]`: the channel's index in ACN order, and its gain to SN3D.
    let places: UnsafeMutablePointer<(acn: Int, gain: Float)>
    /// `[ACN][frame]`: the slice's input, scaled to SN3D.
    let incoming: PlanarBlock
    /// `[ACN][frame]`: the field in head axes. The last `fourier.length` samples before the slice's end begin at frame
    /// `start`.
    let turned: PlanarBlock
    var start = 0
    /// `[ACN]`: spectrum of the channel's last `length` samples.
    let spectra: PlanarBlock
    /// `[2·state + ear]`: summed spectra of the ears. State 0 is rendered with `filters`, state 1 with `parting`.
    let sums: PlanarBlock
    /// `[2·state + ear]`: samples of the ears.
    let ears: PlanarBlock
    /// Filters in use.
    var filters: AmbisonicFiltersReference
    /// Filters that `filters` has just replaced; nil without a replacement.
    var parting: AmbisonicFiltersReference?

    /// Computes the rotation matrices.
    private var rotation: HarmonicRotation
    /// Rotation matrices for the head's pose at the slice's beginning and at the end of each fade.
    private let matrices: UnsafeMutablePointer<Float>
    /// Change of the matrices during each fade.
    private let changes: UnsafeMutablePointer<Float>
    /// `[fade]`: whether the head moved.
    private let moved: UnsafeMutablePointer<Bool>
    /// Head pose of the newest matrices.
    private var seen = Quaternion.identity
    /// Pointers into the rows above, for the kernels.
    private let turnInputs: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let turnOutputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let windows: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let applied: UnsafeMutablePointer<UnsafePointer<Float>?>

    /// Makes a sound field at rest, for a head that faces the front.
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

    /// Begins a slice with the pose at the end of the last slice. If `anew` is true, the stream begins, and the head's
    /// pose is `headToStage`. Published filters come into use.
    @_noLocks
    mutating func beginSlice(headToStage: Quaternion, anew: Bool) {
        retireReplaced()
        if let address = exchange.take()?.address {
            parting = filters
            filters = AmbisonicFiltersReference(address: address)
            // At the beginning of a stream nothing has been rendered with the old filters, so no crossfade is needed.
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

    /// Sets the head's pose at the end of a fade. Call for the fades 1…slice/fade in order. Cost:
    /// `HarmonicRotation.turn` if the pose moved.
    @_noLocks
    mutating func aim(fade index: Int, headToStage: Quaternion) {
        let size = HarmonicRotation.elementCount(order: order)
        let (before, target) = (matrices + size * (index - 1), matrices + size * index)
        let step = SIMD4(
            headToStage.w - seen.w, headToStage.x - seen.x, headToStage.y - seen.y, headToStage.z - seen.z)
        // 1e-14 corresponds to a turn of 2e-7 rad, which no filter resolves.
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

    /// Copies samples of all channels into the slice, beginning at frame `position`, and scales them to SN3D. The
    /// samples must be finite.
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
    /// Cost of a whole slice: the rotation (for each degree l, 2·(2l + 1)² multiply-adds per frame), one transform per
    /// channel, the sum of channels × 2 products of spectra, and two inverse transforms. In a slice with a change of
    /// filters, the products and the inverse transforms are doubled.
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
            // Frames of the slice that have not arrived count as silence.
            if position == 0 && count < slice { Samples.clear(row + past + count, count: slice - count) }
        }
        fourier.forward(count: channelCount, rows: windows, spectra: Self.written(spectra))
        // A pattern instead of `==`, which would need the type's metadata.
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

    /// Ends a slice that is completely rendered.
    @_noLocks
    mutating func endSlice() {
        start += slice
        guard start + fourier.length > turned.frameCapacity else { return }
        let kept = fourier.length - slice
        for channel in 0..<channelCount { Samples.copy(turned[channel] + start, to: turned[channel], count: kept) }
        start = 0
    }

    /// Rotates `count` frames of the slice into head axes, and writes them to the end of the window.
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

    /// Gives back the replaced filters, so that another thread can free them.
    @_noLocks
    private mutating func retireReplaced() {
        guard let old = parting else { return }
        exchange.retire(BankReference(address: old.address))
        parting = nil
    }

    /// Returns a block's rows as pointers for kernels that read them.
    @_noLocks
    private static func read(_ block: borrowing PlanarBlock) -> UnsafePointer<UnsafePointer<Float>?> {
        UnsafeRawPointer(block.pointers).assumingMemoryBound(to: UnsafePointer<Float>?.self)
    }

    /// Returns a block's rows as pointers for kernels that write them.
    @_noLocks
    private static func written(_ block: borrowing PlanarBlock) -> UnsafePointer<UnsafeMutablePointer<Float>?> {
        UnsafeRawPointer(block.pointers).assumingMemoryBound(to: UnsafeMutablePointer<Float>?.self)
    }
}
