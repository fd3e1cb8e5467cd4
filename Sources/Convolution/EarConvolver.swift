import Signal

/// Filters two signals, each with its own response, without latency. It is the last filter before the ears.
///
/// It works by overlap-save in partitions of one slice (`SliceSpectra`). An incomplete slice is transformed with
/// silence in place of the missing samples, and again when more samples arrive. One thread uses the convolver; it is
/// not made on the audio thread.
package struct EarConvolver: ~Copyable {
    private let slice: Int
    private let partitions: Int
    private var spectra: SliceSpectra
    /// Spectra of the two responses, in the layout of `SliceSpectra`.
    private let filters: UnsafeMutablePointer<Float>
    /// `[ear]`: samples of the previous slice, then of the current slice.
    private let windows: PlanarBlock
    /// `[ear]`: spectral sum over the slices before the current one.
    private let older: PlanarBlock
    /// `[ear]`: spectral sum over all slices.
    private let sums: PlanarBlock
    /// `[ear]`: output samples of the current slice.
    private let heard: PlanarBlock
    private let windowRows: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let sumRows: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let heardRows: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    /// Frames of the current slice that are already rendered.
    private var position = 0

    /// Prepares two responses of any length on a grid of `slice` frames, a multiple of 16. The past is silence. Memory:
    /// 24 bytes per ear and tap of the longer response.
    package init(left: [Float], right: [Float], slice: Int) {
        self.slice = slice
        let taps = max(1, left.count, right.count)
        partitions = (taps + slice - 1) / slice
        spectra = SliceSpectra(sources: 2, slice: slice, partitions: partitions)
        let count = slice / 16 * partitions * 2 * 64
        filters = AlignedMemory.allocate(Float.self, count: count)
        filters.initialize(repeating: 0, count: count)
        windows = PlanarBlock(channels: 2, frames: 2 * slice)
        older = PlanarBlock(channels: 2, frames: 2 * slice)
        sums = PlanarBlock(channels: 2, frames: 2 * slice)
        heard = PlanarBlock(channels: 2, frames: slice)
        windowRows = .allocate(capacity: 2)
        sumRows = .allocate(capacity: 2)
        heardRows = .allocate(capacity: 2)
        for ear in 0..<2 {
            (windowRows + ear).initialize(to: UnsafePointer(windows[ear]))
            (sumRows + ear).initialize(to: UnsafePointer(sums[ear]))
            (heardRows + ear).initialize(to: heard[ear])
        }
        // Source 0 reaches only the left ear, source 1 only the right ear.
        let parts = PlanarBlock(channels: partitions + 1, frames: 2 * slice)
        let rows = UnsafeMutablePointer<UnsafePointer<Float>?>.allocate(capacity: 2 * partitions)
        defer { rows.deallocate() }
        for (ear, response) in [left, right].enumerated() {
            for part in 0..<partitions {
                for i in 0..<slice {
                    let tap = part * slice + i
                    parts[part][i] = tap < response.count ? response[tap] / Float(slice) : 0
                }
                (rows + 2 * part + ear).initialize(to: UnsafePointer(parts[part]))
                (rows + 2 * part + 1 - ear).initialize(to: UnsafePointer(parts[partitions]))
            }
            spectra.prepare(source: ear, rows: UnsafePointer(rows), filters: filters)
        }
    }

    deinit {
        filters.deallocate()
        windowRows.deallocate()
        sumRows.deallocate()
        heardRows.deallocate()
    }

    /// Most samples for which the output continues after the last input.
    package var tapCount: Int { @_noLocks get { partitions * slice } }

    /// Resets the past to silence.
    @_noLocks
    package mutating func reset() {
        spectra.reset()
        for ear in 0..<2 { Samples.clear(windows[ear], count: 2 * slice) }
        position = 0
    }

    /// Filters `count` frames in place. Cost per slice: two transforms each way, and 16 multiply-adds per tap of the
    /// longer response. A call that ends inside a slice costs another round of transforms.
    @_noLocks
    package mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int
    ) {
        var done = 0
        while done < count {
            let part = min(slice - position, count - done)
            render(left + done, right + done, count: part)
            done += part
        }
    }

    /// Renders `count` frames within one slice.
    @_noLocks
    private mutating func render(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int
    ) {
        let end = position + count
        Samples.copy(left, to: windows[0] + slice + position, count: count)
        Samples.copy(right, to: windows[1] + slice + position, count: count)
        for ear in 0..<2 where end < slice { Samples.clear(windows[ear] + slice + end, count: slice - end) }
        if position == 0 {
            spectra.sum(
                filters, partitions: min(1, partitions - 1)..<partitions, left: older[0], right: older[1], onto: false)
        }
        spectra.analyse(UnsafePointer(windowRows))
        if partitions == 1 {
            spectra.sum(filters, partitions: 0..<1, left: sums[0], right: sums[1], onto: false)
        } else {
            for ear in 0..<2 { Samples.copy(older[ear], to: sums[ear], count: 2 * slice) }
            spectra.sum(filters, partitions: 0..<1, left: sums[0], right: sums[1], onto: true)
        }
        spectra.inverse(count: 2, spectra: UnsafePointer(sumRows), rows: UnsafePointer(heardRows))
        Samples.copy(heard[0] + position, to: left, count: count)
        Samples.copy(heard[1] + position, to: right, count: count)
        position = end
        guard position == slice else { return }
        position = 0
        for ear in 0..<2 { Samples.copy(windows[ear] + slice, to: windows[ear], count: slice) }
        spectra.advance()
    }
}
