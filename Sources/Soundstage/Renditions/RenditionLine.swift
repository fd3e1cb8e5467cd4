import Signal

/// One rendition as it is delivered: a delay line for each of its channels, and what is known of their being there.
///
/// A channel that breaks off is continued by `LinearPrediction` from its last sample and fades away; one that comes
/// fades in. Both happen in the delay line, so that what is read from it has no seam. However soon one follows the
/// other, each sound is continued by itself: the prediction is made from what came in since the channel last came,
/// never across a seam, and is added to what still dies away of the sound before. Shares rise and fall as raised
/// cosines, which have no corners. Used by the audio thread alone.
struct RenditionLine: ~Copyable {
    /// A channel's place in time.
    private struct Row: BitwiseCopyable {
        var isHere = false
        /// Frames of sound since it came; its fade-in is over at `rise`.
        var age = 0
        /// Whether it needs no fade-in: it was there from the beginning.
        var isWhole = false
        /// Frames of silence after it came, before the first of sound.
        var waited = 0
        /// Frame up to which the line is written with what is left of tails that another followed.
        var writtenEnd = Int.min / 2
        /// What continues the sound that broke off last.
        var tail: Tail?
    }

    /// Where the tail of a channel stands.
    private struct Tail: BitwiseCopyable {
        /// Frames of it that are written, and how many there are to be.
        var at = 0
        var end = 0
        /// Frames for which it stays as loud as it was, before it falls.
        var level = 0
        /// Frames of the sound's rise that were over at the break; `rise` and more: it was there in full.
        var age = 0
        /// Where it begins to give way to a sound that came.
        var yields = Int.max
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
    private let tails: UnsafeMutablePointer<SoundTail>
    /// What is heard: `[channel][frame & mask]`.
    private let samples: UnsafeMutablePointer<Float>
    private let mask: Int
    /// What came in, as it came: `[channel][frame & recentMask]`.
    private let recent: UnsafeMutablePointer<Float>
    private let recentMask: Int
    /// Frame to be written next, since the beginning.
    private var head = 0
    private let rise: Int
    private let hold: Int
    /// Half a raised cosine from 0 to 1: `[rise + 1]`.
    private let shape: UnsafeMutablePointer<Float>

    /// Silent lines for delays of at most `longest` frames. A channel fades in over `rise` frames; one that breaks off
    /// goes on for as long and then fades as slowly; its end is looked for in the last `hold` frames.
    init(count: Int, longest: Int, hold: Int, rise: Int) {
        self.count = count
        self.hold = hold
        self.rise = rise
        func power(_ frames: Int) -> Int {
            var capacity = 1024
            while capacity < frames { capacity *= 2 }
            return capacity
        }
        let capacity = power(longest + ProgrammeSlice.longest + 2 * rise)
        mask = capacity - 1
        samples = .allocate(capacity: capacity * max(1, count))
        samples.initialize(repeating: 0, count: capacity * max(1, count))
        let kept = power(hold + LinearPrediction.window + ProgrammeSlice.longest)
        recentMask = kept - 1
        recent = .allocate(capacity: kept * max(1, count))
        recent.initialize(repeating: 0, count: kept * max(1, count))
        rows = .allocate(capacity: max(1, count))
        rows.initialize(repeating: Row(), count: max(1, count))
        tails = .allocate(capacity: max(1, count))
        for row in 0..<count { (tails + row).initialize(to: SoundTail()) }
        shape = .allocate(capacity: rise + 1)
        for i in 0...rise { (shape + i).initialize(to: Float(RaisedCosine.value(i, of: rise))) }
    }

    deinit {
        samples.deallocate()
        recent.deallocate()
        rows.deallocate()
        for row in 0..<count { tails[row].deallocate() }
        tails.deallocate()
        shape.deallocate()
    }

    /// Silence, as if just made.
    @_noLocks
    mutating func restart() {
        Samples.clear(samples, count: (mask + 1) * count)
        for row in 0..<count { rows[row] = Row() }
        (isPresent, isBroken, cleanFrames, breaks, head) = (false, false, 0, 0, 0)
    }

    /// Takes `frames` ≤ `ProgrammeSlice.longest` frames of all channels; those that are not `connected` (nil: all are)
    /// do not count. What is here in the very first frames needs no fade. Where frames were lost before these
    /// (`followsGap`), the sound before is carried on while the sound after it comes up.
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
                if isHere {
                    come(row, isWhole: isFirst)
                } else {
                    isBroken = true
                    breaks += 1
                    carryOn(row, isGap: false, prediction)
                }
            } else if followsGap && isHere && !isFirst {
                carryOn(row, isGap: true, prediction)
                (rows[row].age, rows[row].waited, rows[row].isWhole) = (0, 0, false)
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

    /// A channel comes: what still continues the sound before gives way to it.
    @_noLocks
    private mutating func come(_ row: Int, isWhole: Bool) {
        (rows[row].age, rows[row].waited, rows[row].isWhole) = (0, 0, isWhole)
        guard var tail = rows[row].tail else { return }
        tail.yields = min(tail.yields, tail.at)
        tail.end = min(tail.end, tail.yields + rise)
        rows[row].tail = tail
    }

    @_noLocks
    private mutating func write(_ row: Int, _ input: UnsafePointer<Float>, _ frames: Int) {
        let line = samples + row * (mask + 1)
        var state = rows[row]
        if state.isHere { Self.keep(input, frames, in: recent + row * (recentMask + 1), mask: recentMask, at: head) }
        if state.isHere && (state.isWhole || state.age >= rise) && state.writtenEnd <= head {
            Self.keep(input, frames, in: line, mask: mask, at: head)
            rows[row].age = state.age + frames
        } else {
            for i in 0..<frames {
                let at = (head + i) & mask
                var sound = head + i < state.writtenEnd ? line[at] : 0
                if state.isHere {
                    // Its ports may be known to be there a little before its sound is.
                    if state.age == 0 && input[i] == 0 && state.waited < rise {
                        state.waited += 1
                    } else {
                        sound += (state.isWhole ? 1 : shape[min(state.age, rise)]) * input[i]
                        state.age += 1
                    }
                }
                line[at] = sound
            }
            rows[row] = state
        }
        addTail(row, at: head, frames)
    }

    /// Adds the next `frames` of a channel's tail to the line, `frame` on.
    @_noLocks
    private mutating func addTail(_ row: Int, at frame: Int, _ frames: Int) {
        guard var tail = rows[row].tail else { return }
        let line = samples + row * (mask + 1)
        let count = min(frames, tail.end - tail.at)
        var done = 0
        while done < count {
            let piece = min(count - done, SoundTail.longest)
            let sound = tails[row].next(piece)
            for i in 0..<piece {
                let t = tail.at + i
                var share = shape[min(rise, tail.age + t)]
                if t > tail.level { share *= 1 - shape[min(rise, t - tail.level)] }
                if t > tail.yields { share *= 1 - shape[min(rise, t - tail.yields)] }
                line[(frame + done + i) & mask] += share * Float(sound[i])
            }
            tail.at += piece
            done += piece
        }
        rows[row].tail = tail.at < tail.end ? tail : nil
    }

    @_noLocks
    private static func keep(
        _ input: UnsafePointer<Float>, _ frames: Int, in line: UnsafeMutablePointer<Float>, mask: Int, at frame: Int
    ) {
        let start = frame & mask
        let first = min(frames, mask + 1 - start)
        Samples.copy(input, to: line + start, count: first)
        if first < frames { Samples.copy(input + first, to: line, count: frames - first) }
    }

    /// Continues a channel from where its sound ended: as loud for up to `rise` frames and then away, or (`isGap`) away
    /// at once while what follows a gap comes up. What was known of it for less than a window goes away the sooner; a
    /// share that had not risen yet goes on rising under the fall.
    @_noLocks
    private mutating func carryOn(_ row: Int, isGap: Bool, _ prediction: borrowing LinearPrediction) {
        let raw = recent + row * (recentMask + 1)
        let state = rows[row]
        // With a look-ahead, silence at the end is part of a break: a feeder may die some frames before its ports go.
        let furthest = isGap ? 0 : min(hold, state.age)
        var end = head
        while head - end < furthest && raw[(end - 1) & recentMask] == 0 { end -= 1 }
        let age = state.age - (head - end)
        if age <= 0 || hold > 0 && head - end >= hold { return }
        finishTail(row)
        let known = min(age, LinearPrediction.window)
        for i in 0..<known { prediction.past[i] = Double(raw[(end - known + i) & recentMask]) }
        tails[row].begin(known: known, prediction)
        let level = isGap ? 0 : rise * known / LinearPrediction.window
        rows[row].tail = Tail(end: level + rise, level: level, age: state.isWhole ? rise : age)
        addTail(row, at: end, head - end)
    }

    /// Writes what is left of a channel's tail ahead of time, as another is to follow.
    @_noLocks
    private mutating func finishTail(_ row: Int) {
        guard let tail = rows[row].tail else { return }
        let left = tail.end - tail.at
        let line = samples + row * (mask + 1)
        for i in max(0, rows[row].writtenEnd - head)..<max(left, rows[row].writtenEnd - head) {
            line[(head + i) & mask] = 0
        }
        addTail(row, at: head, left)
        rows[row].writtenEnd = max(rows[row].writtenEnd, head + left)
    }
}
