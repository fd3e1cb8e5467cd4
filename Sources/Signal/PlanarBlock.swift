import Glibc

/// Samples of several channels, each contiguous and 64-byte aligned: `[channel][frame]`.
///
/// A block never grows: it is allocated off the audio thread and reached by pointer on it. The block alone owns its
/// memory, which lives as long as the block, and every pointer to it lies within it. Debug builds end with a message
/// for an invalid channel and, when the block is freed, for a write behind a channel's frames.
///
/// Invariant (why it may be shared unchecked): a channel's frames are written by one thread at a time, and read by
/// others once that thread has passed them on; all other members are constant.
@usableFromInline package struct PlanarBlock: ~Copyable, @unchecked Sendable {
    /// Number of channels.
    @usableFromInline package let channelCount: Int
    /// Frames each channel holds.
    package let frameCapacity: Int
    private let stride: Int
    private let base: UnsafeMutablePointer<Float>
    @usableFromInline let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    /// Allocates silent channels; `channels` and `frames` ≥ 0.
    package init(channels channelCount: Int, frames: Int) {
        precondition(channelCount >= 0 && frames >= 0)
        self.channelCount = channelCount
        frameCapacity = frames
        stride = max(16, (frames + 15) / 16 * 16) + Self.guardFrames
        base = AlignedMemory.allocate(Float.self, count: max(1, channelCount) * stride)
        base.initialize(repeating: 0, count: max(1, channelCount) * stride)
        channels = .allocate(capacity: max(1, channelCount))
        for channel in 0..<channelCount {
            (channels + channel).initialize(to: base + channel * stride)
            for i in stride - Self.guardFrames..<stride { channels[channel][i] = Self.guardValue }
        }
    }

    deinit {
        checkGuards()
        base.deallocate()
        channels.deallocate()
    }

    /// Start of channel `index`, 64-byte aligned.
    @inlinable package subscript(index: Int) -> UnsafeMutablePointer<Float> {
        @_noLocks get {
            checkIndex(index, below: channelCount, "channel of a block")
            return channels[index]
        }
    }

    #if CHECKED_MEMORY
        /// Guard frames behind each channel's frames, never written to, and their value.
        private static var guardFrames: Int { 16 }
    #else
        private static var guardFrames: Int { 0 }
    #endif
    private static var guardValue: Float { -1.234_567e-12 }

    /// Checks that the frames behind each channel's are unchanged: the padding to whole vectors stays 0.
    private func checkGuards() {
        for channel in 0..<channelCount {
            for i in frameCapacity..<stride where Self.guardFrames > 0 {
                let isWhole = channels[channel][i] == (i < stride - Self.guardFrames ? 0 : Self.guardValue)
                checkIndex(i, below: isWhole ? stride : frameCapacity, "frame written in a block's channel")
            }
        }
    }

    /// The channels' starts in order, as drivers pass them.
    @inlinable package var pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>> { @_noLocks get { channels } }
}

/// Memory aligned for vector kernels.
package enum AlignedMemory {
    /// Bytes of alignment: one AVX-512 register, one cache line.
    package static var alignment: Int { 64 }
    /// Bytes of a large page of the machine's family.
    private static let largePage = 1 << 21

    /// Allocates uninitialised memory for `count` values at a 64-byte boundary; free it with `deallocate()`.
    ///
    /// From 2 MB on it begins at a large page, and the system is asked for large pages. Tables that the audio thread
    /// reads in scattered places then need a few entries of the processor's page tables instead of thousands, which the
    /// processor loses each time the thread sleeps.
    package static func allocate<T: BitwiseCopyable>(_ type: T.Type, count: Int) -> UnsafeMutablePointer<T> {
        let bytes = max(1, count) * MemoryLayout<T>.stride
        let isLarge = bytes >= largePage
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: isLarge ? (bytes + largePage - 1) / largePage * largePage : bytes,
            alignment: isLarge ? largePage : alignment)
        // A system without large pages refuses, which affects the speed alone.
        if isLarge { madvise(memory, bytes, MADV_HUGEPAGE) }
        return memory.bindMemory(to: T.self, capacity: max(1, count))
    }
}
