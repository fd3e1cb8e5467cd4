import Glibc

/// Samples of several channels: `[channel][frame]`. Each channel is contiguous and 64-byte aligned.
///
/// A block never grows. Another thread than the audio thread allocates it; the audio thread uses it by pointer. Only
/// the block owns its memory, which exists as long as the block. Debug builds end the program, with a message, if a
/// channel's index is invalid. When a block is freed, they also do so if the memory after a channel's frames has
/// changed.
///
/// Invariant (why it may be shared unchecked): one thread at a time writes a channel's frames. Other threads read the
/// frames only after the writing thread has passed them on. All other members are constant.
@usableFromInline package struct PlanarBlock: ~Copyable, @unchecked Sendable {
    /// Number of channels.
    @usableFromInline package let channelCount: Int
    /// Number of frames in each channel.
    package let frameCapacity: Int
    private let stride: Int
    private let base: UnsafeMutablePointer<Float>
    @usableFromInline let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    /// Allocates silent channels. `channels` and `frames` are ≥ 0.
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
        /// Number of guard frames after each channel's frames. They are written only at allocation.
        private static var guardFrames: Int { 16 }
    #else
        private static var guardFrames: Int { 0 }
    #endif
    /// Value of the guard frames.
    private static var guardValue: Float { -1.234_567e-12 }

    /// Checks that the memory after each channel's frames is unchanged. The padding to whole vectors must be 0.
    private func checkGuards() {
        for channel in 0..<channelCount {
            for i in frameCapacity..<stride where Self.guardFrames > 0 {
                let isWhole = channels[channel][i] == (i < stride - Self.guardFrames ? 0 : Self.guardValue)
                checkIndex(i, below: isWhole ? stride : frameCapacity, "frame written in a block's channel")
            }
        }
    }

    /// The starts of the channels, in order, as drivers pass them.
    @inlinable package var pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>> { @_noLocks get { channels } }
}

/// Memory that is aligned for vector kernels.
package enum AlignedMemory {
    /// Alignment, bytes: one AVX-512 register, or one cache line.
    package static var alignment: Int { 64 }
    /// Size of a large page of x86-64 processors, bytes.
    private static let largePage = 1 << 21

    /// Allocates uninitialised memory for `count` values at a 64-byte boundary. Free it with `deallocate()`.
    ///
    /// Memory of 2 MB or more begins at a large page, and the system is asked to use large pages for it. For tables
    /// that the audio thread reads at scattered addresses, the processor then needs a few entries of its address cache
    /// (TLB) instead of thousands. It loses these entries each time the thread sleeps.
    package static func allocate<T: BitwiseCopyable>(_ type: T.Type, count: Int) -> UnsafeMutablePointer<T> {
        let bytes = max(1, count) * MemoryLayout<T>.stride
        let isLarge = bytes >= largePage
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: isLarge ? (bytes + largePage - 1) / largePage * largePage : bytes,
            alignment: isLarge ? largePage : alignment)
        // The call fails on a system without large pages. This affects only the speed.
        if isLarge { madvise(memory, bytes, MADV_HUGEPAGE) }
        return memory.bindMemory(to: T.self, capacity: max(1, count))
    }
}
