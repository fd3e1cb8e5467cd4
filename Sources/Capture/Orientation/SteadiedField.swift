import AudioIO
import Geometry
import Signal
import Soundstage

/// Turns a recorded sound field against its device's turns, so that it holds to the horizon or to the world.
///
/// Every 64 frames of the recording the rotation is asked for; in between its matrices move linearly, so that no step
/// is heard. What comes out depends on a frame's place in the recording alone. Between two rotations δ apart the chord
/// loses l²·δ²/8 of a component of degree l at most: at 1000°/s and 48 kHz 0.0006 dB of the first, 0.03 dB of the
/// seventh. Any thread but the audio thread. Cost: for each frame 3·(2l + 1)² operations of each degree l.
package final class SteadiedField: FrameShaping {
    /// Frames between two rotations.
    package static let slice = 64

    private let track: OrientationTrack
    private let mode: SteadyMode
    private let order: Int
    private let sampleRate: Double
    /// `[acn]`: the channel, and what scales it to SN3D.
    private let places: [(channel: Int, gain: Float)]

    /// A field of a format at a rate, turned as the track of its device says.
    package init(_ track: OrientationTrack, _ mode: SteadyMode, format: AmbisonicFormat, sampleRate: SampleRate) {
        (self.track, self.mode, order, self.sampleRate) = (track, mode, format.order, sampleRate.hertz)
        var places = [(channel: Int, gain: Float)](repeating: (0, 1), count: format.channelCount)
        for channel in 0..<format.channelCount {
            let place = format.place(ofChannel: channel)
            places[place.acn] = (channel, Float(place.gain))
        }
        self.places = places
    }

    package func shape(_ block: borrowing PlanarBlock, at offset: Int, position: Int, frames: Int) {
        guard mode != .follow, frames > 0 else { return }
        var rotation = HarmonicRotation(order: order)
        let count = HarmonicRotation.elementCount(order: order)
        func matrices(atSlice slice: Int) -> [Float] {
            let time = Double(slice * Self.slice) / sampleRate
            return [Float](unsafeUninitializedCapacity: count) { buffer, filled in
                // `turn` writes all of the `count` elements that the buffer has.
                if let base = buffer.baseAddress { rotation.turn(track.turn(at: time, mode), to: base) }
                filled = count
            }
        }
        var inputs = [Float](repeating: 0, count: (2 * order + 1) * Self.slice)
        var slice = position / Self.slice
        var to = matrices(atSlice: slice)
        var done = 0
        while done < frames {
            let from = to
            to = matrices(atSlice: slice + 1)
            let place = position + done - slice * Self.slice
            let length = min(frames - done, Self.slice - place)
            for degree in 1...order {
                turn(block, at: offset + done, length, degree, from: from, to: to, place: place, &inputs)
            }
            done += length
            slice += 1
        }
    }

    /// One degree of a slice's frames, of which the first is `place` frames into it.
    private func turn(
        _ block: borrowing PlanarBlock, at offset: Int, _ frames: Int, _ degree: Int, from: [Float], to: [Float],
        place: Int, _ inputs: inout [Float]
    ) {
        let (width, first) = (2 * degree + 1, degree * degree)
        let start = HarmonicRotation.offset(ofDegree: degree)
        for column in 0..<width {
            let row = block[places[first + column].channel] + offset
            for i in 0..<frames { inputs[column * Self.slice + i] = row[i] }
        }
        for row in 0..<width {
            let target = block[places[first + row].channel] + offset
            Samples.clear(target, count: frames)
            for column in 0..<width {
                let scale = places[first + column].gain / places[first + row].gain
                let (a, b) = (scale * from[start + row * width + column], scale * to[start + row * width + column])
                let step = (b - a) / Float(Self.slice)
                for i in 0..<frames {
                    target[i] += (a + step * Float(place + i)) * inputs[column * Self.slice + i]
                }
            }
        }
    }
}
