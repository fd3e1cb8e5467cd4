import Glibc

/// Division of responses for the transforms of one slice: a main part with all frequencies, which fits into one
/// transform, and later low parts with low frequencies only.
///
/// The part at `lowOffsets[j]` filters the window that ended that number of frames earlier (overlap-save in partitions:
/// Wefers, Partitioned Convolution Algorithms, 2015, §5.3). Of its spectrum only the bins −8·lowChunks…8·lowChunks − 1
/// are kept, so a part costs a few bins, while a usual partition would cost a whole spectrum.
///
/// A filter is `[chunk of 16 bins][left re 16, left im 16, right re 16, right im 16]`: the main part's chunks, then
/// those of each low part, in the order of their (signed) bins.
package struct FilterForm: Hashable, Sendable {
    /// Frames per slice.
    package let slice: Int
    /// Samples of the transforms.
    package let length: Int
    /// Taps of a filter as a whole.
    package let tapCount: Int
    /// Begin of each low part in the response, frames: ascending multiples of the slice.
    package let lowOffsets: [Int]
    /// Chunks of 16 bins of each low part.
    package let lowChunks: Int

    /// Makes the form of responses of `tapCount` taps in one part.
    package init(slice: Int, tapCount: Int) {
        self.init(
            slice: slice, length: OddFourier.length(atLeast: slice + tapCount - 1), tapCount: tapCount, lowOffsets: [],
            lowChunks: 0)
    }

    private init(slice: Int, length: Int, tapCount: Int, lowOffsets: [Int], lowChunks: Int) {
        self.slice = slice
        self.length = length
        self.tapCount = tapCount
        self.lowOffsets = lowOffsets
        self.lowChunks = lowChunks
    }

    /// Greatest number of taps of the main part, and of each low part.
    package var capacity: Int { length - slice + 1 }
    /// Bins of the main part.
    package var bins: Int { length / 2 }
    /// Chunks of 16 bins of a filter.
    package var chunks: Int { bins / 16 + lowOffsets.count * lowChunks }
    /// Floats of one filter for both ears.
    package var floats: Int { 64 * chunks }
    /// Input frames that the output of a slice depends on, the slice included.
    package var reach: Int { length + (lowOffsets.last ?? 0) }

    /// Extent of responses whose low frequencies last longer than the others.
    package struct Extent: Hashable, Sendable {
        /// Taps played of all frequencies, delays included.
        package var wide: Int
        /// Taps played of low frequencies, delays included.
        package var low: Int
        /// Largest minus smallest delay of the responses, taps.
        package var spread: Int
        /// Samples played before the response with the smallest delay.
        package var lead: Int
        /// Highest of the low frequencies, re the sample rate.
        package var limit: Double

        /// - Parameter limit: highest of the low frequencies, re the sample rate.
        package init(wide: Int, low: Int, spread: Int, lead: Int, limit: Double) {
            (self.wide, self.low, self.spread, self.lead, self.limit) = (wide, low, spread, lead, limit)
        }
    }

    /// Chooses the cheapest form for responses whose low frequencies last longer than the others.
    package init(slice: Int, _ extent: Extent) {
        var best = FilterForm(slice: slice, tapCount: max(extent.wide, extent.low))
        var length = OddFourier.length(atLeast: slice + extent.wide - 1)
        while length < best.length {
            if let form = FilterForm(slice: slice, length: length, extent), form.cost < best.cost { best = form }
            length = OddFourier.length(atLeast: length + 1)
        }
        self = best
    }

    /// Places low parts after a main part of one length; nil if they leave gaps.
    private init?(slice: Int, length: Int, _ extent: Extent) {
        let capacity = length - slice + 1
        let halves = Int((extent.limit * Double(length) / 2 + 0.75).rounded(.up))
        let lowChunks = (halves + 7) / 8
        guard 32 * lowChunks <= length / 2 else { return nil }
        // From the last part to the first, each as early as possible: the energy that a part drops above its bins
        // spreads about the fades at its ends, and so has more room. Even the most delayed response must be within a
        // part until the next one has taken over.
        var offsets: [Int] = []
        var wanted = extent.low
        while wanted > capacity {
            let offset = (wanted - capacity + slice - 1) / slice * slice
            guard offset < offsets.first ?? .max else { return nil }
            offsets.insert(offset, at: 0)
            wanted = offset + extent.spread + FilterForm.shortestFade
        }
        self.init(
            slice: slice, length: length, tapCount: max(extent.wide, extent.low), lowOffsets: offsets,
            lowChunks: offsets.isEmpty ? 0 : lowChunks)
    }

    /// Least length of the transition from one part to the next, frames.
    package static let shortestFade = 24

    /// Cost of a source: its transform, and products and filters for each bin.
    private var cost: Double {
        Double(bins) * (1 + 0.1 * log2(Double(length))) + 16 * Double(lowOffsets.count * lowChunks)
    }
}
