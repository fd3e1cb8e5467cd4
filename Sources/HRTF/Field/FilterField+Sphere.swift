import Geometry
import Glibc
import Signal

extension FilterField {
    /// Returns the field of a rigid sphere with two ears. It is computed and needs no files; it serves for tests and as
    /// a fallback.
    ///
    /// The ears are on the horizon, at azimuths of ±`earAzimuthDegrees`. Delays follow Woodworth's formula. Responses
    /// are those of `RigidSphere` without the delay, faded out from 0.9 of the Nyquist frequency to the Nyquist
    /// frequency. Takes about 20 ms.
    package static func sphere(
        sampleRate: SampleRate, radius: Double = RigidSphere.averageRadius, earAzimuthDegrees: Double = 100
    ) -> FilterField {
        let sphere = RigidSphere(radius: radius)
        let preroll = 16
        let taps = 16 * Int((96 * sampleRate.hertz / 48_000 / 16).rounded(.up))
        let table = sphere.alignedResponses(rateHz: sampleRate.hertz, preroll: Double(preroll), taps: taps, steps: 90)
        let grid = RingGrid(stepDegrees: 3)
        let ears = [earAzimuthDegrees, -earAzimuthDegrees].map {
            Direction<Head>(azimuthDegrees: $0, elevationDegrees: 0)
        }
        var responses: [Float] = []
        responses.reserveCapacity(grid.count * 2 * taps)
        var delays: [Float] = []
        for direction in grid.directions(in: Head.self) {
            for ear in ears {
                let angle = direction.angle(to: ear)
                let place = min(Double(table.count - 1) - 1e-9, angle / .pi * Double(table.count - 1))
                let (lower, t) = (Int(place), Float(place - place.rounded(.down)))
                for i in 0..<taps { responses.append(table[lower][i] * (1 - t) + table[lower + 1][i] * t) }
                delays.append(Float((sphere.arrival(angle: angle) + sphere.radiusTime) * sampleRate.hertz))
            }
        }
        return FilterField(
            Content(
                grid: grid, responses: responses, wideTaps: taps, delays: delays, alignedOnset: Double(preroll),
                margins: DelayMargins(table.flatMap { $0 }, taps: taps)),
            sampleRate: sampleRate)
    }
}

extension RigidSphere {
    /// Returns impulse responses for `steps` + 1 angles of incidence 0…π, each with its arrival by Woodworth's formula
    /// at sample `preroll`. They have `taps` samples; the last quarter is faded out.
    func alignedResponses(rateHz: Double, preroll: Double, taps: Int, steps: Int) -> [[Float]] {
        let transform = FourierTransform(minimumCount: 4 * taps)
        let bins = transform.count / 2 + 1
        let angles = (0...steps).map { Double.pi * Double($0) / Double(steps) }
        let cosines = angles.map { cos($0) }
        let spectra = (0..<bins).map { bin -> [(real: Double, imaginary: Double)] in
            let frequency = Double(bin) * rateHz / Double(transform.count)
            return response(frequency: frequency, cosines: cosines)
        }
        return angles.indices.map { index in
            var real = [Double](repeating: 0, count: transform.count)
            var imaginary = real
            let shift = arrival(angle: angles[index]) - preroll / rateHz
            for bin in 0..<bins {
                let part = Double(bin) / Double(bins - 1)
                let fade = part < 0.9 ? 1 : 0.5 * (1 + cos(.pi * (part - 0.9) / 0.1))
                let turn = 2 * .pi * Double(bin) * rateHz / Double(transform.count) * shift
                let value = spectra[bin][index]
                // Each positive frequency counts twice, because the real part of the inverse transform is the signal.
                let weight = (bin == 0 || bin == bins - 1 ? 1 : 2) * fade
                real[bin] = weight * (value.real * cos(turn) - value.imaginary * sin(turn))
                imaginary[bin] = weight * (value.real * sin(turn) + value.imaginary * cos(turn))
            }
            transform.inverse(&real, &imaginary)
            let fadeStart = taps - taps / 4
            return (0..<taps).map { i in
                let fade = i < fadeStart ? 1 : 0.5 * (1 + cos(.pi * Double(i - fadeStart) / Double(taps - fadeStart)))
                return Float(real[i] * fade)
            }
        }
    }
}
