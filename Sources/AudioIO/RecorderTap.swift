import CRealtime
import Signal
import Synchronization

/// Where the audio thread leaves the two ears' sound for the recorder: a wait-free queue of interleaved frames.
///
/// Frames in `[tail, head)` belong to the recorder's thread, all others to the audio thread; `head` is advanced only by
/// the audio thread after it wrote (release), `tail` only by the recorder's after it read (release).
struct RecorderTap: ~Copyable {
    /// Most frames left at a time: the longest cycle of any driver.
    static var longestPush: Int { @_noLocks get { 8192 } }

    /// Frames that found no room since the beginning.
    let droppedFrames = Atomic<Int>(0)
    /// Set by the recorder when it has given up: nobody empties the queue any more.
    let isAbandoned = Atomic<Bool>(false)
    private let head = Atomic<Int>(0)
    private let tail = Atomic<Int>(0)
    private var isOpen: Bool
    private let mask: Int
    /// Left and right in turn, `mask + 1` pairs.
    private let pairs: UnsafeMutablePointer<Float>

    /// A tap for `capacityFrames` frames at least; closed until a stream start where `waitsForStart` is true.
    init(capacityFrames: Int, waitsForStart: Bool) {
        var capacity = Self.longestPush
        while capacity < capacityFrames { capacity *= 2 }
        mask = capacity - 1
        isOpen = !waitsForStart
        pairs = AlignedMemory.allocate(Float.self, count: 2 * capacity)
        pairs.initialize(repeating: 0, count: 2 * capacity)
    }

    deinit { pairs.deallocate() }

    /// Leaves up to 8192 frames. Live, a full queue loses them and counts them; otherwise the recorder is waited for.
    /// Audio thread.
    @_noLocks
    mutating func push(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, isStreamStart: Bool,
        live: Bool
    ) {
        if isStreamStart { isOpen = true }
        guard isOpen else { return }
        let first = head.load(ordering: .relaxed)
        while first + frames - tail.load(ordering: .acquiring) > mask + 1 {
            if live || isAbandoned.load(ordering: .relaxed) {
                droppedFrames.wrappingAdd(frames, ordering: .relaxed)
                return
            }
            prc_yield()
        }
        for i in 0..<frames {
            let slot = 2 * ((first + i) & mask)
            pairs[slot] = left[i]
            pairs[slot + 1] = right[i]
        }
        head.store(first + frames, ordering: .releasing)
    }

    /// Takes up to `limit` frames into `interleaved`; returns how many. Recorder's thread.
    func pop(into interleaved: UnsafeMutablePointer<Float>, limit: Int) -> Int {
        let first = tail.load(ordering: .relaxed)
        let count = min(limit, head.load(ordering: .acquiring) - first)
        for i in 0..<count {
            let slot = 2 * ((first + i) & mask)
            interleaved[2 * i] = pairs[slot]
            interleaved[2 * i + 1] = pairs[slot + 1]
        }
        tail.store(first + count, ordering: .releasing)
        return count
    }
}
