import Glibc

/// How a filter's response is split into parts, each of which one transform per slice can apply. A main part with all
/// frequencies fits into one transform. The later parts have only low frequencies, and are called low parts.
///
/// The part at `lowOffsets[j]` filters the window that ended `lowOffsets[j]` frames earlier (overlap-save in
/// partitions: Wefers, Partitioned Convolution Algorithms, 2015, §5.3). Only the bins −8·lowChunks…8·lowChunks − 1 of
/// the part's spectrum are kept. A low part therefore costs a few bins, while a usual partition would cost a whole
/// spectrum.
///
/// A filter is `[chunk of 16 bins][left re 16, left im 16, right re 16, right im 16]`. The main part's chunks come
/// first, then those of each low part, in the order of their (signed) bins.
package struct FilterForm: Hashable, Sendable {
    /// Frames per slice.
    package let slice: Int
    /// Samples of one transform.
    package let length: Int
    /// Taps of a complete filter.
    package let tapCount: Int
    /// Start of each low part in the response, frames. The starts are ascending multiples of the slice.
    package let lowOffsets: [Int]
    /// Number of chunks of 16 bins in each low part.
    package let lowChunks: Int

    /// Makes the form of responses of `tapCount` taps that are not divided.
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

    /// Most taps of the main part, and of each low part.
    package var capacity: Int { length - slice + 1 }
    /// Number of bins of the main part.
    package var bins: Int { length / 2 }
    /// Number of chunks of 16 bins in a filter.
    package var chunks: Int { bins / 16 + lowOffsets.count * lowChunks }
    /// Number of floats of one filter for both ears.
    package var floats: Int { 64 * chunks }
    /// Input frames that the output of a slice depends on, including the slice.
    package var reach: Int { length + (lowOffsets.last ?? 0) }

    /// Extent of responses whose low frequencies last longer than their other frequencies.
    package struct Extent: Hashable, Sendable {
        /// Taps in which all frequencies are played, including delays.
        package var wide: Int
        /// Taps in which low frequencies are played, including delays.
        package var low: Int
        /// Difference between the largest and the smallest delay of the responses, taps.
        package var spread: Int
        /// Samples by which the interpolator of fractional delays begins before the response with the smallest delay.
        package var lead: Int
        /// Upper limit of the low frequencies, as a fraction of the sample rate.
        package var limit: Double

        /// Makes an extent; see the properties.
        package init(wide: Int, low: Int, spread: Int, lead: Int, limit: Double) {
            (self.wide, self.low, self.spread, self.lead, self.limit) = (wide, low, spread, lead, limit)
        }
    }

    /// Chooses the form that costs least for responses whose low frequencies last longer than their other frequencies.
    package init(slice: Int, _ extent: Extent) {
        var best = FilterForm(slice: slice, tapCount: max(extent.wide, extent.low))
        var length = OddFourier.length(atLeast: slice + extent.wide - 1)
        while length < best.length {
            if let form = FilterForm(slice: slice, length: length, extent), form.cost < best.cost { best = form }
            length = OddFourier.length(atLeast: length + 1)
        }
        self = best
    }

    /// Places low parts after a main part with a transform of `length` samples. Returns nil if the parts are too short
    /// to overlap by the spread of the delays and by `shortestFade`, or if more than half of the bins are low.
    private init?(slice: Int, length: Int, _ extent: Extent) {
        let capacity = length - slice + 1
        let halves = Int((extent.limit * Double(length) / 2 + 0.75).rounded(.up))
        let lowChunks = (halves + 7) / 8
        guard 32 * lowChunks <= length / 2 else { return nil }
        // The parts are placed from the last to the first, each as early as possible. The missing higher bins cause an
        // error at the beginning of a part. `LowSplit` makes this error small by additional samples there. A part that
        // begins earlier has room for more of them. Even the most delayed response must lie within a part until the
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

    /// Minimum length of the transition from one part to the next, frames.
    package static let shortestFade = 24

    /// Relative cost of a source: its transform, and for each bin the computation of the filter and the multiplication
    /// by it.
    private var cost: Double {
        Double(bins) * (1 + 0.1 * log2(Double(length))) + 16 * Double(lowOffsets.count * lowChunks)
    }
}
