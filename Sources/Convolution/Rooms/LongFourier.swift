import CKernels
import Signal

/// Long transforms at odd frequencies for rooms, made of shorter transforms that fit into the first-level cache. Their
/// steps may be spread over time.
///
/// A row is split into `radix` interleaved rows. Each of these is transformed, and the shorter spectra are combined
/// into one (decimation in time; see `prk_room_turns`). With radix 1 nothing is split or combined. Calls cannot fail.
/// One thread at a time may use the value, for example the audio thread.
package struct LongFourier: ~Copyable {
    /// Samples of the whole transform.
    package let length: Int
    /// Number of interleaved rows.
    package let radix: Int
    /// Samples of a shorter transform.
    package var shortLength: Int { @_noLocks get { length / radix } }
    /// Chunks of 16 bins in a shorter spectrum.
    package var shortChunks: Int { @_noLocks get { length / radix / 32 } }
    private let short: OddFourier
    private let lanes: UnsafeMutablePointer<Float>
    private let bases: UnsafeMutablePointer<Float>
    private let turns: UnsafeMutablePointer<prk_room_turns>

    /// Prepares transforms of `length` samples by `radix` (1, 2, 4 or 8) shorter ones. The shorter length must be a
    /// multiple of 32.
    package init(length: Int, radix: Int) {
        precondition([1, 2, 4, 8].contains(radix) && length % (32 * radix) == 0)
        self.length = length
        self.radix = radix
        short = OddFourier(length: length / radix)
        let chunks = length / radix / 32
        lanes = AlignedMemory.allocate(Float.self, count: 32 * radix)
        bases = AlignedMemory.allocate(Float.self, count: 2 * chunks * radix)
        prk_room_fill_turns(radix, chunks, lanes, bases)
        turns = .allocate(capacity: 1)
        turns.initialize(to: prk_room_turns(radix: radix, chunks: chunks, lanes: lanes, bases: bases))
    }

    deinit {
        lanes.deallocate()
        bases.deallocate()
        turns.deallocate()
    }

    /// Transforms `count` rows to shorter spectra; see `OddFourier.forward`.
    @_noLocks
    package func forward(
        count: Int, rows: UnsafePointer<UnsafePointer<Float>?>, spectra: UnsafePointer<UnsafeMutablePointer<Float>?>,
        stride: Int = 32
    ) {
        short.forward(count: count, rows: rows, spectra: spectra, stride: stride)
    }

    /// Transforms `count` shorter spectra back. Writes the second half of each row, scaled by shortLength/2.
    @_noLocks
    package func inverse(
        count: Int, spectra: UnsafePointer<UnsafePointer<Float>?>, rows: UnsafePointer<UnsafeMutablePointer<Float>?>
    ) {
        short.inverse(
            count: count, spectra: spectra, from: shortLength / 2, frames: shortLength / 2, rows: rows)
    }

    /// Writes `count` samples (a multiple of radix) to their places in the interleaved rows. The first one is sample
    /// `start` of the whole row.
    @_noLocks
    package func split(
        _ samples: UnsafePointer<Float>, count: Int, at start: Int, rows: UnsafePointer<UnsafeMutablePointer<Float>?>
    ) {
        prk_room_split(radix, count / radix, samples, start / radix, rows)
    }

    /// Combines chunks `from`..<`to` of the shorter spectra. Chunk c of the result is written at spectrum + c·stride
    /// floats.
    @_noLocks
    package func join(
        _ rows: UnsafePointer<UnsafePointer<Float>?>, from: Int, to: Int, into spectrum: UnsafeMutablePointer<Float>,
        stride: Int
    ) {
        prk_room_join(turns, from, to, rows, spectrum, stride)
    }

    /// Divides a spectrum into chunks `from`..<`to` of the shorter spectra, scaled by radix.
    @_noLocks
    package func part(
        _ spectrum: UnsafePointer<Float>, from: Int, to: Int, into rows: UnsafePointer<UnsafeMutablePointer<Float>?>
    ) {
        prk_room_part(turns, from, to, spectrum, rows)
    }
}
