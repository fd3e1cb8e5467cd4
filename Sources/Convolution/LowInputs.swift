import Signal

/// Low bins of every source's last spectra. The low parts of filters are multiplied with them.
///
/// While filters are at rest, slices are not transformed. Such a slice is transformed later, when a part needs it. One
/// thread owns the value; it is not made on the audio thread.
struct LowInputs: ~Copyable {
    private let sources: Int
    private let slice: Int
    private let low: LowBins
    /// `[part]`: age of the windows that the part filters, in slices.
    private let ages: UnsafeMutablePointer<Int>
    private let parts: Int
    /// `[slot][chunk][source][re 16, im 16]`: low bins of the last slices, in a ring of slots.
    private let spectra: UnsafeMutablePointer<Float>
    private let slots: Int
    /// `[slot]`: number of the slice in the slot.
    private let numbers: UnsafeMutablePointer<Int>
    private let rows: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let scratch: PlanarBlock
    private let scratchRows: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

    /// Makes an empty ring. Memory: 128 bytes per source, chunk, and slice up to the last part.
    init(sources: Int, form: FilterForm) {
        self.sources = sources
        (slice, parts) = (form.slice, form.lowOffsets.count)
        low = LowBins(form)
        ages = .allocate(capacity: max(1, parts))
        for (part, offset) in form.lowOffsets.enumerated() { (ages + part).initialize(to: offset / form.slice) }
        slots = (form.lowOffsets.last ?? 0) / form.slice + 1
        let count = max(1, slots * sources * form.lowChunks * 32)
        spectra = AlignedMemory.allocate(Float.self, count: count)
        spectra.initialize(repeating: 0, count: count)
        numbers = .allocate(capacity: slots)
        numbers.initialize(repeating: .min, count: slots)
        rows = .allocate(capacity: max(1, sources))
        rows.initialize(repeating: nil, count: max(1, sources))
        scratch = PlanarBlock(channels: form.lowOffsets.isEmpty ? 0 : sources, frames: form.length)
        scratchRows = .allocate(capacity: max(1, sources))
        scratchRows.initialize(repeating: nil, count: max(1, sources))
        if !form.lowOffsets.isEmpty {
            for source in 0..<sources { scratchRows[source] = scratch[source] }
        }
    }

    deinit {
        ages.deallocate()
        spectra.deallocate()
        numbers.deallocate()
        rows.deallocate()
        scratchRows.deallocate()
    }

    /// Stores the low bins of slice `number`, and writes the inputs of the low parts to `inputs` after the main part's
    /// chunks.
    ///
    /// `inputs` is `[chunk][source][re 16, im 16]`. `windows` are the windows of slice `number`. Cost: copies of some
    /// bins. In the first slices after a rest, one transform per source and part is added.
    @_noLocks
    func complete(
        _ inputs: UnsafeMutablePointer<Float>, number: Int, windows: UnsafePointer<UnsafePointer<Float>?>,
        fourier: borrowing OddFourier
    ) {
        low.gather(
            inputs, stride: 32 * sources, to: place(number), targetStride: 32 * sources, rows: sources, step: 32)
        numbers[slot(number)] = number
        let size = 32 * sources * low.chunks
        for part in 0..<parts {
            let wanted = number - ages[part]
            if numbers[slot(wanted)] != wanted { transform(ages[part], number: number, windows, fourier) }
            Samples.copy(place(wanted), to: inputs + 2 * low.bins * sources + part * size, count: size)
        }
    }

    /// Transforms the windows that ended `back` slices before those of slice `number`.
    @_noLocks
    private func transform(
        _ back: Int, number: Int, _ windows: UnsafePointer<UnsafePointer<Float>?>, _ fourier: borrowing OddFourier
    ) {
        for source in 0..<sources {
            guard let window = windows[source] else { return }
            rows[source] = window - back * slice
        }
        fourier.forward(count: sources, rows: rows, spectra: UnsafePointer(scratchRows))
        for source in 0..<sources {
            guard let row = scratchRows[source] else { return }
            low.gather(row, stride: 32, to: place(number - back) + 32 * source, targetStride: 32 * sources)
        }
        numbers[slot(number - back)] = number - back
    }

    @_noLocks
    private func slot(_ number: Int) -> Int { (number & Int.max) % slots }

    @_noLocks
    private func place(_ number: Int) -> UnsafeMutablePointer<Float> {
        spectra + slot(number) * sources * 32 * low.chunks
    }
}
