import Signal

/// One rendition of a programme (multichannel or stereo) as it is delivered: a delay line for each of its channels, and
/// whether they are connected.
///
/// If a channel breaks off (its port is disconnected), `LinearPrediction` continues it from its last sample, and the
/// continuation fades out. A channel that starts fades in. Both are written into the delay line, so the output has no
/// seam. If breaks follow each other quickly, each sound is continued separately. The prediction uses only the input
/// since the channel last started, never input across a seam. The new tail is added to the fading tail of the previous
/// sound. Gains rise and fall as raised cosines, which have no corners. Only the audio thread uses the lines.
struct RenditionLine: ~Copyable {
    /// State of a channel.
    private struct Row: BitwiseCopyable {
        var isHere = false
        /// Frames of sound since the channel started. The fade-in ends at `rise` frames.
        var age = 0
        /// Whether the channel needs no fade-in, because it was delivered from the first frame.
        var isWhole = false
        /// Frames of silence between the start of the channel and its first sound.
        var waited = 0
        /// Frame up to which the line already contains the rest of earlier tails.
        var writtenEnd = Int.min / 2
        /// Continuation of the sound that broke off last; nil without a continuation.
        var tail: Tail?
    }

    /// State of a channel's tail.
    private struct Tail: BitwiseCopyable {
        /// Frames of the tail that are written.
        var at = 0
        /// Length of the whole tail, frames.
        var end = 0
        /// Frames for which the tail keeps its level before it fades.
        var level = 0
        /// Elapsed frames of the sound's fade-in at the break. The fade-in was complete if this is at least `rise`.
        var age = 0
        /// Frame of the tail from which it fades out for a new sound; `Int.max` without a new sound.
        var yields = Int.max
    }

    /// Number of channels.
    let count: Int
    /// Whether any channel is delivered.
    private(set) var isPresent = false
    /// Whether a channel broke off in the last call's frames.
    private(set) var isBroken = false
    /// Frames since the last break of any channel; 0 if no channel is delivered.
    private(set) var cleanFrames = 0
    /// Number of breaks of channels since the beginning.
    private(set) var breaks = 0
    private let rows: UnsafeMutablePointer<Row>
    private let tails: UnsafeMutablePointer<SoundTail>
    /// `[channel][frame & mask]`: output with fades and tails.
    private let samples: UnsafeMutablePointer<Float>
    private let mask: Int
    /// `[channel][frame & recentMask]`: input as it was delivered.
    private let recent: UnsafeMutablePointer<Float>
    private let recentMask: Int
    /// Number of the next frame to be written, counted from the beginning.
    private var head = 0
    private let rise: Int
    private let hold: Int
    /// `[rise + 1]`: half a raised cosine from 0 to 1.
    private let shape: UnsafeMutablePointer<Float>

    /// Makes silent lines for delays of at most `longest` frames. A channel fades in over `rise` frames. A channel that
    /// breaks off continues for up to `rise` frames, then fades over as many. Silence in the last `hold` frames before
    /// a break counts as part of the break.
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

    /// Resets to silence, as if just made.
    @_noLocks
    mutating func restart() {
        Samples.clear(samples, count: (mask + 1) * count)
        for row in 0..<count { rows[row] = Row() }
        (isPresent, isBroken, cleanFrames, breaks, head) = (false, false, 0, 0, 0)
    }

    /// Writes `frames` ≤ `ProgrammeSlice.longest` frames of all channels. Channels that are not `connected` are
    /// ignored. If `connected` is nil, all channels are connected. Channels that are delivered in the very first frames
    /// are not faded in. If frames were lost before these (`followsGap`), the sound before the gap is continued while
    /// the sound after it fades in.
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

    /// Copies `frames` frames of the line. The last of them was written `delay` frames before the newest one.
    @_noLocks
    func read(_ row: Int, delay: Int, frames: Int, to target: UnsafeMutablePointer<Float>) {
        let line = samples + row * (mask + 1)
        let start = (head - frames - delay) & mask
        let first = min(frames, mask + 1 - start)
        Samples.copy(line + start, to: target, count: first)
        if first < frames { Samples.copy(line, to: target + first, count: frames - first) }
    }

    /// Starts a channel. A tail that still plays fades out for it.
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
                    // The ports may be connected a little before their sound starts.
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

    /// Adds the next `frames` frames of a channel's tail to the line, from frame `frame` on.
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

    /// Continues a channel from the end of its sound, unless that was at least `hold` frames ago. The tail keeps its
    /// level for up to `rise` frames and then fades. For a gap (`isGap`) it fades immediately while the sound after the
    /// gap fades in. If less than a window of the sound is known, the tail fades sooner. A fade-in that was not
    /// complete continues under the fade.
    @_noLocks
    private mutating func carryOn(_ row: Int, isGap: Bool, _ prediction: borrowing LinearPrediction) {
        let raw = recent + row * (recentMask + 1)
        let state = rows[row]
        // With look-ahead, silence at the end is part of a break, because a source may stop some frames before its
        // ports are disconnected.
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

    /// Writes the rest of a channel's tail in advance, before another tail begins.
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
