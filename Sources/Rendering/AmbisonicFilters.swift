import Convolution
import HRTF
import Signal

/// The decoding filters of one HRTF set as spectra: made and freed off the audio thread, applied on it.
struct AmbisonicFilters: ~Copyable {
    /// `[channel]`: the spectra of both ears in the layout of `SpectralSum`; the scale of the inverse transform is in
    /// them.
    let spectra: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let memory: UnsafeMutablePointer<Float>

    /// Transforms a decoder's filters; they and a slice fit into the transform's length.
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
            // Chunk by chunk the left ear's 32 numbers, then the right's.
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

/// A set's filters by their address, which may cross threads as a number.
struct AmbisonicFiltersReference: BitwiseCopyable, Sendable, Hashable {
    let address: UInt

    /// The filters at an address; `pointer` traps on one that is none.
    @_noLocks
    init(address: UInt) { self.address = address }

    /// The filters; alive as long as the owner's record of them.
    var pointer: UnsafeMutablePointer<AmbisonicFilters> {
        @_noLocks get { UnsafeMutablePointer(bitPattern: address)! }
    }
}
