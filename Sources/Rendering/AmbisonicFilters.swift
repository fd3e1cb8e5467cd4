import Convolution
import HRTF
import Signal

/// Filters that decode a sound field with one HRTF set, as spectra. They are made and freed off the audio thread, and
/// applied on it.
struct AmbisonicFilters: ~Copyable {
    /// `[channel]`: spectra of both ears in the layout of `SpectralSum`. They are scaled for the inverse transform.
    let spectra: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let memory: UnsafeMutablePointer<Float>

    /// Transforms a decoder's filters. The transform has to be long enough for a filter and a slice (a block of
    /// frames).
    init(_ decoder: AmbisonicDecoder, fourier: borrowing OddFourier) {
        let (channels, bins, length) = (decoder.channelCount, fourier.bins, fourier.length)
        memory = AlignedMemory.allocate(Float.self, count: channels * 4 * bins)
        memory.initialize(repeating: 0, count: channels * 4 * bins)
        spectra = .allocate(capacity: channels)
        for channel in 0..<channels { (spectra + channel).initialize(to: UnsafePointer(memory + channel * 4 * bins)) }
        let rows = PlanarBlock(channels: 2, frames: length)
        for channel in 0..<channels {
            for ear in 0..<2 {
                for (i, tap) in decoder.filter(ear: ear, channel: channel).enumerated() {
                    rows[ear][i] = tap / Float(bins)
                }
            }
            // A chunk of 16 bins has the left ear's 16 real and 16 imaginary parts, then those of the right ear.
            let target = memory + channel * 4 * bins
            fourier.forward(
                count: 2, rows: [UnsafePointer(rows[0]), UnsafePointer(rows[1])], spectra: [target, target + 32],
                stride: 64)
        }
    }

    deinit {
        spectra.deallocate()
        memory.deallocate()
    }
}

/// Address of a set's filters, as a number that can be passed between threads.
struct AmbisonicFiltersReference: BitwiseCopyable, Sendable, Hashable {
    let address: UInt

    /// Stores an address; `pointer` traps on 0.
    @_noLocks
    init(address: UInt) { self.address = address }

    /// The filters. They are valid until their owner frees them.
    var pointer: UnsafeMutablePointer<AmbisonicFilters> {
        @_noLocks get { UnsafeMutablePointer(bitPattern: address)! }
    }
}
