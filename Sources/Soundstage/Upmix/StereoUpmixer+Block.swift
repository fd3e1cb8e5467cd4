import CKernels
import CRealtime
import Convolution
import Signal

/// Processing of a block: analysis, filters, and the sum that makes the channels.
extension StereoUpmixer {
    /// Upmixes a block into `outputs`. `window` has the newest `tuning.frame` samples of left and right. The block ends
    /// `tuning.ahead` samples before the newest of them.
    @_noLocks
    mutating func upmix(_ window: UnsafePointer<UnsafePointer<Float>?>) {
        guard let left = window[0], let right = window[1] else { return }
        let (frame, block) = (tuning.frame, tuning.block)
        if tuning.findsOnsets { onsets.hear(left + frame - block, right + frame - block, frames: block) }
        if position % tuning.hop == 0 {
            covariance.take(window)
            if let decoder {
                masks.prepare(covariance)
                decoder.pointee.follow()
                filters.make(position / tuning.hop, of: decoder.pointee.masks)
            } else {
                masks.follow(covariance)
                filters.make(position / tuning.hop, of: masks.rows)
            }
        }
        let dry = frame - tuning.latency
        field.make(
            history.window(tuning.filterLength), begin: position - tuning.latency, newest: position / tuning.hop,
            filters: filters, onsets: onsets)
        mix(left: left + dry, right: right + dry)
    }

    /// Makes the block's channels from the delayed input and the field.
    @_noLocks
    private mutating func mix(left: UnsafePointer<Float>, right: UnsafePointer<Float>) {
        // The first block lies within the latency and is silent, so a jump of the amounts cannot cause a click.
        if position == tuning.block { amounts.jump(to: controls) }
        amounts.aim(at: controls)
        if amounts.rests {
            let (now, block) = (amounts.now, tuning.block)
            sum(left: left, right: right, at: 0, frames: block, from: now, to: now)
            if keepsEnergy { balance(left, right) }
            spread()
            return widen(at: 0, frames: block, from: now.width, to: now.width)
        }
        var course = amounts
        let piece = course.step
        var done = 0
        while done < tuning.block {
            let from = course.now
            course.advance()
            sum(left: left + done, right: right + done, at: done, frames: piece, from: from, to: course.now)
            done += piece
        }
        if keepsEnergy { balance(left, right) }
        spread()
        done = 0
        while done < tuning.block {
            let from = amounts.now
            amounts.advance()
            widen(at: done, frames: piece, from: from.width, to: amounts.now.width)
            done += piece
        }
    }

    /// Makes the channels of `frames` frames, from frame `start` of the block on, with a linear ramp of the amounts.
    @_noLocks
    private func sum(
        left: UnsafePointer<Float>, right: UnsafePointer<Float>, at start: Int, frames: Int, from: UpmixControls,
        to: UpmixControls
    ) {
        if let decoder {
            return decoder.pointee.mix(
                left: left, right: right, sources: field.rows, at: start, frames: frames, from: from, to: to,
                into: outputs)
        }
        let from = Shares(from, keepsIdentity), to = Shares(to, keepsIdentity)
        let per = 1 / Float(frames)
        var job = prk_upmix_mix(
            frames: frames, left: left, right: right,
            field: (.init(field.rows[0] + start), .init(field.rows[1] + start), .init(field.rows[2] + start)),
            from: (from.centre, from.given, from.taken),
            step: (
                per * (to.centre - from.centre), per * (to.given - from.given), per * (to.taken - from.taken)
            ), root: UpmixProducts.root,
            rows: (
                outputs[routing.left] + start, outputs[routing.right] + start, outputs[routing.centre] + start,
                outputs[routing.ambientLeft[0]] + start, outputs[routing.ambientRight[0]] + start
            ))
        prk_upmix_sum(&job)
    }

    /// Gains of the field at given amounts: of the centre, of the ambience that is sent to the surrounds, and of the
    /// ambience that is removed from the front.
    private struct Shares {
        let centre: Float, given: Float, taken: Float

        @_noLocks
        init(_ controls: UpmixControls, _ keepsIdentity: Bool) {
            centre = controls.centre
            given = controls.ambience * StereoUpmixer.ambienceLimit
            taken = keepsIdentity ? given * UpmixProducts.root : 1 - prc_sqrtf(1 - given * given)
        }
    }

    /// Scales the five channels to the power of the input.
    @_noLocks
    private func balance(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>) {
        let block = tuning.block
        let (l, r, c) = (outputs[routing.left], outputs[routing.right], outputs[routing.centre])
        let (a, b) = (outputs[routing.ambientLeft[0]], outputs[routing.ambientRight[0]])
        let sum =
            Samples.energy(l, count: block) + Samples.energy(r, count: block) + Samples.energy(c, count: block)
            + Samples.energy(a, count: block) + Samples.energy(b, count: block)
        let from = level.pointee.gain
        level.pointee.hear(
            input: Samples.energy(left, count: block) + Samples.energy(right, count: block), outputs: sum)
        let to = level.pointee.gain
        Samples.ramp(l, from: from, to: to, count: block)
        Samples.ramp(r, from: from, to: to, count: block)
        Samples.ramp(c, from: from, to: to, count: block)
        Samples.ramp(a, from: from, to: to, count: block)
        Samples.ramp(b, from: from, to: to, count: block)
    }

    /// Shares the ambience among the ambient pairs and decorrelates it.
    ///
    /// Decorrelated copies add by power, so each of n pairs gets 1/√n. Equal copies add by amplitude, so with
    /// `identity` and without decorrelators each pair gets 1/n.
    @_noLocks
    private func spread() {
        // A matrix decoder has already filled each pair.
        guard decoder == nil else { return }
        let pairs = routing.pairs
        let block = tuning.block
        let share = 1 / Float(pairs)
        let gain = decorrelates || keepsEnergy ? prc_sqrtf(share) : share
        let (first, second) = (routing.ambientLeft[0], routing.ambientRight[0])
        if pairs > 1 {
            Samples.scale(outputs[first], by: gain, count: block)
            Samples.scale(outputs[second], by: gain, count: block)
        }
        if decorrelates { decorrelators.split(outputs[first], outputs[second], frames: block) }
        for pair in 1..<max(1, pairs) {
            Samples.copy(outputs[first], to: outputs[routing.ambientLeft[pair]], count: block)
            Samples.copy(outputs[second], to: outputs[routing.ambientRight[pair]], count: block)
        }
        guard decorrelates else { return }
        for pair in 0..<pairs {
            let (left, right) = (outputs[routing.ambientLeft[pair]], outputs[routing.ambientRight[pair]])
            decorrelators.process(pair: pair, left, right, frames: block)
        }
    }

    /// Moves up to half of the front pair's amplitude to the wides. Wides have gain 1 in the stereo fold-down, so the
    /// fold-down stays the same. Without wides it is moved to the first surrounds with gain √2, because they fold down
    /// at √½.
    @_noLocks
    private func widen(at start: Int, frames: Int, from: Float, to: Float) {
        guard from > 0 || to > 0 || routing.wideLeft != nil else { return }
        let root = UpmixProducts.root
        let (left, right) = (routing.wideLeft ?? routing.ambientLeft[0], routing.wideRight ?? routing.ambientRight[0])
        let (unit, fold): (Float, Float) = routing.wideLeft == nil ? (0.5, root) : (0.5, 1)
        let span = start..<start + frames
        wrap(routing.left, to: left, unit / fold, fold, span, from: from, to: to)
        wrap(routing.right, to: right, unit / fold, fold, span, from: from, to: to)
    }

    /// Moves a share of channel `front` to channel `side`, which folds down with the gain `fold`.
    @_noLocks
    private func wrap(
        _ front: Int, to side: Int, _ unit: Float, _ fold: Float, _ span: Range<Int>, from: Float, to: Float
    ) {
        let (f, s) = (outputs[front], outputs[side])
        let keep: Float = routing.wideLeft == nil ? 1 : 0
        let step = (to - from) / Float(span.count)
        for i in span {
            let moved = unit * (from + step * Float(i + 1 - span.lowerBound)) * f[i]
            s[i] = keep * s[i] + moved
            f[i] -= fold * moved
        }
    }
}
