import Signal

/// Spectra of one level's partitions. For each yaw of a table they have every source's responses to two ears.
///
/// The layout is `[yaw][chunk][partition][source][left re 16, left im 16, right re 16, right im 16]`, so a sum over
/// partitions and sources reads memory in order. Not to be made on the audio thread. Memory: 16 bytes per tap, source
/// and yaw (twice the size of the taps of two ears).
package struct RoomFilters: ~Copyable {
    /// Number of yaws in the table; 1 if the level does not follow the head.
    package let yaws: Int
    /// Floats from one chunk to the next.
    package let stride: Int
    private let perYaw: Int
    private let spectra: UnsafeMutablePointer<Float>

    /// Transforms the responses of a level.
    ///
    /// `fill(source, yaw, ear, target)` has to write the level's taps, with zeros after the response's end. The
    /// initialiser scales them for the inverse transform.
    package init(
        level: PartitionLevel, sources: Int, yaws: Int,
        fill: (_ source: Int, _ yaw: Int, _ ear: Int, _ target: UnsafeMutablePointer<Float>) -> Void
    ) {
        self.yaws = yaws
        let block = level.block
        let length = 2 * block
        stride = level.count * sources * 64
        perYaw = block / 16 * stride
        spectra = AlignedMemory.allocate(Float.self, count: yaws * perYaw)
        let fourier = LongFourier(length: length, radix: PartitionLevel.radix(block: block))
        let rows = WorkRows(count: fourier.radix, length: fourier.shortLength)
        let shorter = WorkRows(count: fourier.radix, length: fourier.shortLength)
        let samples = AlignedMemory.allocate(Float.self, count: length)
        defer { samples.deallocate() }
        samples.initialize(repeating: 0, count: length)
        let taps = AlignedMemory.allocate(Float.self, count: level.taps.count)
        defer { taps.deallocate() }
        taps.initialize(repeating: 0, count: level.taps.count)
        // The inverse transform gives `block` times the signal. `block` is a power of two, so the scaling is exact.
        let scale = 1 / Float(block)
        let whole = AlignedMemory.allocate(Float.self, count: length)
        defer { whole.deallocate() }
        for yaw in 0..<yaws {
            for source in 0..<sources {
                for ear in 0..<2 {
                    fill(source, yaw, ear, taps)
                    Samples.scale(taps, by: scale, count: level.taps.count)
                    for partition in 0..<level.count {
                        Samples.copy(taps + partition * block, to: samples, count: block)
                        fourier.whole(samples, rows: rows, spectra: shorter, into: whole)
                        let target = spectra + yaw * perYaw + (partition * sources + source) * 64 + ear * 32
                        for chunk in 0..<block / 16 {
                            for i in 0..<32 { target[chunk * stride + i] = whole[32 * chunk + i] }
                        }
                    }
                }
            }
        }
    }

    deinit { spectra.deallocate() }

    /// Bytes of the spectra.
    package var byteCount: Int { yaws * perYaw * MemoryLayout<Float>.size }

    /// Returns the spectra for a yaw of the table.
    @_noLocks
    package subscript(yaw: Int) -> UnsafePointer<Float> {
        checkIndex(yaw, below: yaws, "yaw of a room's filters")
        return UnsafePointer(spectra + yaw * perYaw)
    }
}

extension LongFourier {
    /// Transforms a row of `length` samples in one call, for preparation. `rows` and `spectra` are scratch memory of
    /// `radix` rows.
    func whole(
        _ samples: UnsafePointer<Float>, rows: borrowing WorkRows, spectra: borrowing WorkRows,
        into spectrum: UnsafeMutablePointer<Float>
    ) {
        if radix == 1 {
            var (row, target): (UnsafePointer<Float>?, UnsafeMutablePointer<Float>?) = (samples, spectrum)
            forward(count: 1, rows: &row, spectra: &target)
        } else {
            split(samples, count: length, at: 0, rows: rows.write)
            forward(count: radix, rows: rows.read, spectra: spectra.write)
            join(spectra.read, from: 0, to: shortChunks, into: spectrum, stride: 32)
        }
    }
}
