import CRealtime
import Signal

/// Processing of one hop: encoded speech, ambience and mix.
extension AudioMixer {
    /// Mixes the hop that begins at `window`. `window` holds input from `latency` frames ago.
    ///
    /// x is the input, E the encoded speech, V the styled voices, and A = x − E the ambience. g is the gain of the
    /// ambience at full intensity, and i is the intensity. The mix is A·(1 − i·(1 − g)) + (1 − i)·E + i·V = x + i·d
    /// with d = V − E + (g − 1)·(x − E).
    @_noLocks
    mutating func render(_ window: UnsafePointer<UnsafePointer<Float>?>) {
        let hop = tuning.hop, law = MixLaw(controls.style)
        let before = field
        field = law.ambience
        if field != before { keeper.begin() }
        for channel in 0..<channelCount {
            Samples.clear(speech[channel], count: hop)
            Samples.clear(change[channel], count: hop)
        }
        for channel in 0..<placedCount { Samples.clear(image[channel], count: hop) }
        for talker in 0..<TalkerTracks.limit { Samples.clear(objects[talker], count: hop) }
        for talker in 0..<TalkerTracks.limit {
            let direction = talker == 0 ? separator.directions.0 : separator.directions.1
            add(talker, direction, law)
        }
        let slope = (field - before) / Float(hop)
        for channel in 0..<channelCount {
            guard let x = window[channel] else { return }
            let (e, a, d) = (speech[channel], ambience[channel], change[channel])
            var gain = before - 1
            for i in 0..<hop {
                a[i] = x[i] - e[i]
                d[i] += gain * a[i] - e[i]
                gain += slope
            }
        }
        let from = intensity, most = Float(hop) / Float(tuning.rate) / 0.05
        intensity += max(-most, min(most, controls.aim - from))
        keeper.hear(window, change.pointers, frames: hop, at: intensity)
        turn(window, from: from, most)
    }

    /// Adds a voice to the encoded speech and, in the place given by the style, to the change d. Gains are linear ramps
    /// from the values at the end of the last hop.
    @_noLocks
    private mutating func add(_ talker: Int, _ direction: SIMD3<Float>, _ law: MixLaw) {
        let hop = tuning.hop, voice = separator.voices[talker], per = 1 / Float(hop)
        var share = MixLaw.share(controls, direction)
        // A part of each voice remains in the ambience and is lowered with it. This gain compensates for the loss.
        if controls.keepsSpeech {
            share *= (1 - law.ambience * (1 - separator.portion)) / separator.portion
        }
        encode(direction)
        for channel in 0..<channelCount {
            let at = talker * channelCount + channel
            let from = encoded.base[at], to = Float(harmonics.base[channel])
            encoded.base[at] = to
            let row = speech[channel], step = (to - from) * per
            for i in 0..<hop { row[i] += (from + step * Float(i)) * voice[i] }
        }
        let place = law.isFront ? Self.front : direction
        if law.isFront { encode(place) }
        // A voice that was silent starts in its new place, without a movement.
        var wasHeard = false
        // Voices with late reverberation (plain) and without (dry) have separate gains, so that a change of style
        // crossfades between them.
        for manner in 0..<2 {
            let number = talker + manner * TalkerTracks.limit, styled = separator.voices[number]
            let wanted = (manner == 1) == law.isDry ? share : 0
            // Channel 0 is omnidirectional, so its gain is the gain of the mono voice.
            let mono = gains.base[number * harmonics.count]
            wasHeard = wasHeard || mono != 0
            if mono != 0 || wanted != 0 {
                let row = objects[talker], step = (wanted - mono) * per
                for i in 0..<hop { row[i] += (mono + step * Float(i)) * styled[i] }
            }
            for channel in 0..<harmonics.count {
                let at = number * harmonics.count + channel
                let from = gains.base[at], to = wanted * Float(harmonics.base[channel])
                gains.base[at] = to
                if from == 0, to == 0 { continue }
                let step = (to - from) * per
                if channel < channelCount {
                    let row = change[channel]
                    for i in 0..<hop { row[i] += (from + step * Float(i)) * styled[i] }
                }
                if channel < placedCount {
                    let row = image[channel]
                    for i in 0..<hop { row[i] += (from + step * Float(i)) * styled[i] }
                }
            }
        }
        origins.base[talker] = wasHeard ? aims.base[talker] : place
        aims.base[talker] = place
    }

    /// Writes the mix of this hop. The intensity is a linear ramp that starts at `from`, the value at the end of the
    /// last hop. The loudness gain is a linear ramp, too. `most` is the largest change of the intensity per hop.
    @_noLocks
    private mutating func turn(_ window: UnsafePointer<UnsafePointer<Float>?>, from: Float, _ most: Float) {
        let hop = tuning.hop, per = 1 / Float(hop), gain = level
        let kept = controls.keepsSpeech ? 1 : keeper.gain(intensity)
        // A lower gain is applied ten times as fast, because speech may have begun.
        let share = min(1, kept < gain ? 10 * most : most)
        level = intensity == 0 ? 1 : gain + share * (kept - gain)
        let isUntouched = from == 0 && intensity == 0 && gain == 1 && level == 1
        let (rise, lift) = ((intensity - from) * per, (level - gain) * per)
        for channel in 0..<channelCount {
            guard let x = window[channel] else { return }
            let (row, d) = (mix[channel], change[channel])
            if isUntouched {
                Samples.copy(x, to: row, count: hop)
                continue
            }
            for i in 0..<hop {
                let t = Float(i)
                row[i] = (gain + lift * t) * (x[i] + (from + rise * t) * d[i])
            }
        }
        for number in 0..<(placedCount + TalkerTracks.limit) {
            let row = number < placedCount ? image[number] : objects[number - placedCount]
            if isUntouched {
                Samples.clear(row, count: hop)
                continue
            }
            for i in 0..<hop {
                let t = Float(i)
                row[i] *= (gain + lift * t) * (from + rise * t)
            }
        }
    }
}
