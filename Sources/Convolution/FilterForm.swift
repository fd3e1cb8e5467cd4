import Glibc

/// How responses are cut up for the transforms of one slice: a part of all frequencies that one transform holds, and
/// low parts behind it that hold low frequencies alone.
///
/// A part at `lowOffsets[j]` filters the window that ended so many frames earlier (overlap-save in partitions:
/// Wefers, Partitioned Convolution Algorithms, 2015, §5.3). Of its spectrum only the bins −8·lowChunks…8·lowChunks − 1
/// are kept, so a part costs a few bins where another partition would cost a whole spectrum.
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
    /// Where each low part begins in the response, frames: ascending multiples of the slice.
    package let lowOffsets: [Int]
    /// Chunks of 16 bins of each low part.
    package let lowChunks: Int

    /// Responses of `tapCount` taps in one part.
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

    /// Taps that the main part holds, and each low part.
    package var capacity: Int { length - slice + 1 }
    /// Bins of the main part.
    package var bins: Int { length / 2 }
    /// Chunks of 16 bins of a filter.
    package var chunks: Int { bins / 16 + lowOffsets.count * lowChunks }
    /// Floats of a filter that stands by itself, both ears.
    package var floats: Int { 64 * chunks }
    /// Frames of its input that a slice looks back on, itself included.
    package var reach: Int { length + (lowOffsets.last ?? 0) }

    /// What is known of responses whose low frequencies last longer than the others.
    package struct Extent: Hashable, Sendable {
        /// Taps played of all frequencies, delays included.
        package var wide: Int
        /// Taps played of low frequencies, delays included.
        package var low: Int
        /// Taps by which delays move responses: from the least to the largest.
        package var spread: Int
        /// Samples played before a response where it is delayed least.
        package var lead: Int
        /// Where low frequencies end, re the sample rate.
        package var limit: Double

        /// - Parameter limit: where low frequencies end, re the sample rate.
        package init(wide: Int, low: Int, spread: Int, lead: Int, limit: Double) {
            (self.wide, self.low, self.spread, self.lead, self.limit) = (wide, low, spread, lead, limit)
        }
    }

    /// The cheapest form for responses whose low frequencies last longer than the others.
    package init(slice: Int, _ extent: Extent) {
        var best = FilterForm(slice: slice, tapCount: max(extent.wide, extent.low))
        var length = OddFourier.length(atLeast: slice + extent.wide - 1)
        while length < best.length {
            if let form = FilterForm(slice: slice, length: length, extent), form.cost < best.cost { best = form }
            length = OddFourier.length(atLeast: length + 1)
        }
        self = best
    }

    /// Low parts behind a main part of one length; nil where they do not reach from one to the next.
    private init?(slice: Int, length: Int, _ extent: Extent) {
        let capacity = length - slice + 1
        let halves = Int((extent.limit * Double(length) / 2 + 0.75).rounded(.up))
        let lowChunks = (halves + 7) / 8
        guard 32 * lowChunks <= length / 2 else { return nil }
        // From the last part to the first, each as early as it may be: what a part drops above its bins spreads about
        // the fades at its ends, and has the more room. A response that is delayed most must still be inside where the
        // next part has taken over.
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

    /// Frames in which one part hands over to the next at least.
    package static let shortestFade = 24

    /// What a source costs: its transform, and products and filters for each bin.
    private var cost: Double {
        Double(bins) * (1 + 0.1 * log2(Double(length))) + 16 * Double(lowOffsets.count * lowChunks)
    }
}
