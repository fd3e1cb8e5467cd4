import Signal

/// Path from two channels to the two ears that bypasses all filters. Its delay equals that of a frontal source through
/// the filters in use, so both arrive at the same time.
///
/// A new delay is crossfaded. The output is bit-identical, however a stream is divided into calls. Only the audio
/// thread uses the path.
struct DirectPath: ~Copyable {
    /// Frames of the crossfade to a new delay.
    private static var passage: Int { @_noLocks get { 1024 } }

    private let left: UnsafeMutablePointer<Float>
    private let right: UnsafeMutablePointer<Float>
    private let mask: Int
    /// Number of the next frame to be written, counted from the beginning.
    private var head = 0
    /// Number of the frame after the last one that was not silent.
    private var soundEnd = Int.min / 2
    private var delay: Int
    private var oldDelay: Int
    /// Elapsed frames of the crossfade to the new delay; `passage` when it is complete.
    private var passed: Int

    /// Makes a silent path for delays of at most `longest` frames.
    init(longest: Int, delay: Int) {
        let capacity = 1 << (Int.bitWidth - max(1, longest + 2 * 256).leadingZeroBitCount)
        left = .allocate(capacity: capacity)
        right = .allocate(capacity: capacity)
        left.initialize(repeating: 0, count: capacity)
        right.initialize(repeating: 0, count: capacity)
        mask = capacity - 1
        self.delay = min(max(0, delay), longest)
        oldDelay = self.delay
        passed = Self.passage
    }

    deinit {
        left.deallocate()
        right.deallocate()
    }

    /// Resets to silence.
    @_noLocks
    mutating func restart() {
        Samples.clear(left, count: mask + 1)
        Samples.clear(right, count: mask + 1)
        soundEnd = Int.min / 2
        oldDelay = delay
        passed = Self.passage
    }

    /// Sets the delay, frames, at the beginning of a slice. While the delay line contains sound, a call during an
    /// earlier crossfade has no effect.
    @_noLocks
    mutating func setDelay(_ frames: Int) {
        let wanted = min(max(0, frames), mask - 256)
        if head - soundEnd > max(delay, oldDelay) {
            // Silence needs no crossfade.
            (delay, oldDelay, passed) = (wanted, wanted, Self.passage)
            return
        }
        guard wanted != delay, passed >= Self.passage else { return }
        oldDelay = delay
        delay = wanted
        passed = 0
    }

    /// Adds the next `count` frames of a programme, at most a slice, to the delay line. Several programmes may be added
    /// before `hear` advances. `isFirst` is true for the first of them, which overwrites the old contents.
    @_noLocks
    mutating func add(_ pair: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, isFirst: Bool) {
        let isSilent = Samples.peak(pair[0], count: count) == 0 && Samples.peak(pair[1], count: count) == 0
        if !isSilent { soundEnd = head + count }
        if isSilent && !isFirst { return }
        for i in 0..<count {
            let at = (head + i) & mask
            left[at] = (isFirst ? 0 : left[at]) + pair[0][i]
            right[at] = (isFirst ? 0 : right[at]) + pair[1][i]
        }
    }

    /// Adds `count` delayed frames to the ears and advances by `count`.
    @_noLocks
    mutating func hear(count: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
        if head - soundEnd <= max(delay, oldDelay) {
            let passing = max(0, min(count, Self.passage - passed))
            for i in 0..<passing {
                let share = SmoothStep.value(Float(passed + i) / Float(Self.passage))
                let (new, old) = ((head + i - delay) & mask, (head + i - oldDelay) & mask)
                left[i] += share * self.left[new] + (1 - share) * self.left[old]
                right[i] += share * self.right[new] + (1 - share) * self.right[old]
            }
            for i in passing..<count {
                let new = (head + i - delay) & mask
                left[i] += self.left[new]
                right[i] += self.right[new]
            }
        }
        head += count
        passed = min(Self.passage, passed + count)
    }
}
