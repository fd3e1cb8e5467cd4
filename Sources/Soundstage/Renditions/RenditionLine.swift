import Signal

/// One rendition as it is delivered: a delay line for each of its channels, and what is known of their being there.
///
/// A channel that breaks off is continued by `LinearPrediction` from its last sample and fades away; one that comes fades in.
/// Both happen in the delay line, so that what is read from it has no seam. Used by the audio thread alone.
struct RenditionLine: ~Copyable {
    /// A channel's place in time.
    private struct Row: BitwiseCopyable {
        var isHere = false
        /// Frames since it came; its fade-in is over at `rise`.
        var age = 0
        /// Frame up to which the line is written with what continues a sound that broke off.
        var tailEnd = Int.min / 2
    }

    /// Channels.
    let count: Int
    /// Whether any channel is delivered.
    private(set) var isPresent = false
    /// Whether a channel broke off in the frames last taken.
    private(set) var isBroken = false
    /// Frames for which it was delivered without a break.
    private(set) var cleanFrames = 0
    /// Channels that broke off since the beginning.
    private(set) var breaks = 0
    private let rows: UnsafeMutablePointer<Row>
    private let samples: UnsafeMutablePointer<Float>
    private let mask: Int
    /// Frame to be written next, since the beginning.
    private var head = 0
    private let rise: Int
    private let hold: Int

    /// Silent lines for delays of at most `longest` frames. A channel fades in over `rise` frames; one that breaks off goes on for
    /// as long and then fades as slowly; its end is looked for in the last `hold` frames.
    init(count: Int, longest: Int, hold: Int, rise: Int) {
        self.count = count
        self.hold = hold
        self.rise = rise
        var capacity = 1024
        while capacity < longest + ProgrammeStage.longest + 2 * rise + LinearPrediction.window { capacity *= 2 }
        mask = capacity - 1
        samples = .allocate(capacity: capacity * max(1, count))
        samples.initialize(repeating: 0, count: capacity * max(1, count))
        rows = .allocate(capacity: max(1, count))
        rows.initialize(repeating: Row(), count: max(1, count))
    }

    deinit {
        samples.deallocate()
        rows.deallocate()
    }

    /// Silence, as if just made.
    @_noLocks
    mutating func restart() {
        Samples.clear(samples, count: (mask + 1) * count)
        for row in 0..<count { rows[row] = Row() }
        (isPresent, isBroken, cleanFrames, breaks, head) = (false, false, 0, 0, 0)
    }

    /// Takes `frames` ≤ `ProgrammeStage.longest` frames of all channels; those that are not `connected` (nil: all are) do not
    /// count. What is here in the very first frames needs no fade. Where frames were lost before these (`followsGap`), the sound
    /// before is carried on while the sound after it comes up.
    @_noLocks
    mutating func take(
        _ inputs: UnsafePointer<UnsafePointer<Float>>, connected: UnsafePointer<Bool>?, followsGap: Bool,
        frames: Int, prediction: borrowing LinearPrediction
    ) {
        let isFirst = head == 0
        (isBroken, isPresent) = (false, false)
        for row in 0..<count {
            let isHere = connected?[row] ?? true
            if isHere != rows[row].isHere {
                rows[row].isHere = isHere
                rows[row].age = isFirst ? rise : 0
                if !isHere {
                    isBroken = true
                    breaks += 1
                    carryOn(row, isGap: false, prediction)
                }
            } else if followsGap && isHere && !isFirst {
                rows[row].age = 0
                carryOn(row, isGap: true, prediction)
            }
            isPresent = isPresent || isHere
            write(row, inputs[row], frames)
        }
        head += frames
        cleanFrames = isBroken || !isPresent ? 0 : cleanFrames + frames
    }

    /// Copies what came `delay` frames ago.
    @_noLocks
    func read(_ row: Int, delay: Int, frames: Int, to target: UnsafeMutablePointer<Float>) {
        let line = samples + row * (mask + 1)
        let start = (head - frames - delay) & mask
        let first = min(frames, mask + 1 - start)
        Samples.copy(line + start, to: target, count: first)
        if first < frames { Samples.copy(line, to: target + first, count: frames - first) }
    }

    @_noLocks
    private mutating func write(_ row: Int, _ input: UnsafePointer<Float>, _ frames: Int) {
        let line = samples + row * (mask + 1)
        let state = rows[row]
        if state.isHere && state.age >= rise && state.tailEnd <= head {
            let start = head & mask
            let first = min(frames, mask + 1 - start)
            Samples.copy(input, to: line + start, count: first)
            if first < frames { Samples.copy(input + first, to: line, count: frames - first) }
            return
        }
        for i in 0..<frames {
            let at = (head + i) & mask
            let share = state.isHere ? Float(min(rise, state.age + i)) / Float(rise) : 0
            line[at] = (head + i < state.tailEnd ? line[at] : 0) + (share == 0 ? 0 : share * input[i])
        }
        rows[row].age = min(rise, state.age + frames)
    }

    /// Continues a channel from where its sound ended: as loud for `rise` frames and then away, or (`isGap`) away at once while
    /// what follows a gap comes up.
    @_noLocks
    private mutating func carryOn(_ row: Int, isGap: Bool, _ prediction: borrowing LinearPrediction) {
        let line = samples + row * (mask + 1)
        // With a look-ahead, silence at the end is part of a break: a feeder may die some frames before its ports go.
        var end = head
        while !isGap && head - end < hold && line[(end - 1) & mask] == 0 { end -= 1 }
        if hold > 0 && head - end >= hold {
            rows[row].tailEnd = head
            return
        }
        let past = prediction.past
        for i in 0..<LinearPrediction.window {
            past[i] = Double(line[(end - LinearPrediction.window + i) & mask])
        }
        let length = isGap ? rise : 2 * rise
        let tail = prediction.extend(length)
        for i in 0..<length {
            let share = Float(min(rise, length - i)) / Float(rise)
            line[(end + i) & mask] = share * Float(tail[i])
        }
        var at = end + length
        while at < head {
            line[at & mask] = 0
            at += 1
        }
        rows[row].tailEnd = max(head, end + length)
    }
}
