import AudioIO
import Geometry
import Signal
import Soundstage

/// Rotates a recorded sound field against the rotations of its device, so that the field stays fixed to the horizon or
/// to the world.
///
/// The rotation is computed every 64 frames of the recording. Between these frames the matrices are interpolated
/// linearly, so that no step is audible. The result depends only on a frame's position in the recording. If two
/// successive rotations differ by an angle δ in radians, interpolation attenuates a component of degree l by at most
/// l²·δ²/8. At 1000°/s and 48 kHz this is 0.0006 dB for the first degree and 0.03 dB for the seventh. It may be used on
/// any thread except the audio thread. Cost per frame: 3·(2l + 1)² operations for each degree l.
package final class SteadiedField: FrameShaping {
    /// Frames between two rotations.
    package static let slice = 64

    private let track: OrientationTrack
    private let mode: SteadyMode
    private let order: Int
    private let sampleRate: Double
    /// Channel, and gain to SN3D, `[acn]`.
    private let places: [(channel: Int, gain: Float)]

    /// Creates the rotation of a field in this format and at this sample rate. `track` states the orientation of its
    /// device.
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
                // `turn` writes all `count` elements of the buffer.
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

    /// Rotates the components of one degree in some frames of one slice. `place`: place of the first frame in the
    /// slice.
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
