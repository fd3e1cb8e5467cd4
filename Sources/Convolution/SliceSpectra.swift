import CKernels
import Signal

/// Spectra of every source's last slices, for filters that are divided into partitions of one slice.
///
/// The method is overlap-save on the grid of slices (Oppenheim & Schafer, Discrete-Time Signal Processing, §8.7.3;
/// Wefers, Partitioned Convolution Algorithms, 2015, §5.3). A slice is transformed once. Its spectrum is multiplied
/// with the first partition immediately, with the second partition one slice later, and so on.
///
/// Filters are `[chunk][partition][source][left re 16, left im 16, right re 16, right im 16]`, scaled by 1/slice. One
/// thread uses the value; it is not made on the audio thread.
package struct SliceSpectra: ~Copyable {
    private let slice: Int
    private let sources: Int
    private let partitions: Int
    private let fourier: OddFourier
    /// `[chunk][slot][source][re 16, im 16]`: spectra of the last slices, in a ring of slots.
    private let spectra: UnsafeMutablePointer<Float>
    private let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    /// Slot of the current slice.
    private var newest = 0
    /// Number of slices in the ring, including the current one.
    private var known = 1

    /// Allocates silent spectra. Memory: 8 bytes per source and tap of the partitions.
    package init(sources: Int, slice: Int, partitions: Int) {
        precondition(slice % 16 == 0 && partitions > 0)
        self.slice = slice
        self.sources = sources
        self.partitions = partitions
        fourier = OddFourier(length: 2 * slice)
        let count = max(1, slice / 16 * partitions * sources * 32)
        spectra = AlignedMemory.allocate(Float.self, count: count)
        spectra.initialize(repeating: 0, count: count)
        targets = .allocate(capacity: max(sources, 2 * partitions))
        targets.initialize(repeating: nil, count: max(sources, 2 * partitions))
    }

    deinit {
        spectra.deallocate()
        targets.deallocate()
    }

    /// Bytes of the spectra.
    package var byteCount: Int { 8 * slice * partitions * sources }

    /// Whether the ring has as many slices as there are partitions, including the current slice.
    package var isComplete: Bool { @_noLocks get { known == partitions } }

    /// Resets all slices to silence.
    @_noLocks
    package mutating func reset() {
        known = 1
        newest = 0
    }

    /// Transforms the current slice. `rows[source]` has the previous slice, then the current one. An incomplete slice
    /// may be transformed again when more samples have arrived.
    @_noLocks
    package func analyse(_ rows: UnsafePointer<UnsafePointer<Float>?>) {
        guard sources > 0 else { return }
        for source in 0..<sources { targets[source] = spectra + (newest * sources + source) * 32 }
        fourier.forward(count: sources, rows: rows, spectra: targets, stride: partitions * sources * 32)
    }

    /// Sums the products over all sources and the partitions of `range` into one spectrum per ear. Partitions for which
    /// the ring has no slice yet count as silence. With `onto` the sums are added to the spectra. Cost: 8 multiply-adds
    /// and 24 bytes read per bin, partition and source.
    @_noLocks
    package func sum(
        _ filters: UnsafePointer<Float>, partitions range: Range<Int>, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>, onto: Bool
    ) {
        let count = max(0, min(range.upperBound, known) - range.lowerBound)
        let first = (newest + range.lowerBound) % partitions
        let run = min(count, partitions - first)
        var job = prk_room_sum()
        job.chunks = slice / 16
        job.terms = (run * sources, (count - run) * sources)
        job.inputs = (UnsafePointer(spectra + first * sources * 32), UnsafePointer(spectra))
        job.input_stride = partitions * sources * 32
        job.filters = filters + range.lowerBound * sources * 64
        job.filter_stride = partitions * sources * 64
        job.results = (left, right)
        job.onto = onto ? 1 : 0
        prk_room_sum_spectra(&job)
    }

    /// Transforms `count` spectral sums to the current slice's samples.
    @_noLocks
    package func inverse(
        count: Int, spectra: UnsafePointer<UnsafePointer<Float>?>, rows: UnsafePointer<UnsafeMutablePointer<Float>?>
    ) {
        fourier.inverse(count: count, spectra: spectra, from: slice, frames: slice, rows: rows)
    }

    /// Transforms one source's filters. `rows[2·partition + ear]` has 2·slice samples: a partition's taps, then
    /// silence. Cost: 2·partitions transforms.
    @_noLocks
    package func prepare(
        source: Int, rows: UnsafePointer<UnsafePointer<Float>?>, filters: UnsafeMutablePointer<Float>
    ) {
        for row in 0..<(2 * partitions) { targets[row] = filters + (row / 2 * sources + source) * 64 + row % 2 * 32 }
        fourier.forward(count: 2 * partitions, rows: rows, spectra: targets, stride: partitions * sources * 64)
    }

    /// Completes the current slice and begins the next.
    @_noLocks
    package mutating func advance() {
        newest = newest == 0 ? partitions - 1 : newest - 1
        known = min(known + 1, partitions)
    }
}
