import Geometry
import Glibc
import HRTF
import Signal

/// Table of the head's responses to reflections from all directions, for several numbers of walls. Apart from first
/// reflections, the early part of every source and yaw is a sum of the table's rows.
///
/// Azimuths have the same spacing as the yaws, so that a head turn is a shift along the table. Elevations are 10°
/// apart. Hearing does not need closer ones, because first reflections are rendered from their exact directions.
/// Immutable after `init`, which alone writes the memory.
final class ReflectionTable: Sendable {
    /// Number of samples in each response, a multiple of 16.
    let taps: Int
    /// Number of azimuths, counter-clockwise from the front.
    let azimuths: Int
    private static let elevations = 19
    /// Numbers of walls in the table; other numbers use a nearby one with a level correction.
    private static let orders = [1, 2, 3, 4, 6, 8, 11, 15]
    private let rows: PlanarBlock
    private let field: FilterField
    private let transform: FourierTransform
    /// Spectra of the wall reflections for each entry of `orders`.
    private let filters: [[(real: Double, imaginary: Double)]]
    private let factor: Double

    /// Returns the number of samples in each response for an HRTF set.
    private static func taps(_ field: FilterField) -> Int { (field.tapCount + 64 + 15) / 16 * 16 }

    /// Returns the size of a table's responses, bytes: 1216 × azimuths × taps, which is 95 MB for 180 azimuths and
    /// 432 taps.
    static func byteCount(_ field: FilterField, azimuths: Int) -> Int {
        2 * MemoryLayout<Float>.size * orders.count * elevations * azimuths * taps(field)
    }

    /// Makes a table for an HRTF set and walls. Takes some tenths of a second on two cores. See `byteCount` for its
    /// size.
    init(_ field: FilterField, walls: WallReflection, azimuths: Int) {
        self.field = field
        self.azimuths = azimuths
        taps = Self.taps(field)
        transform = FourierTransform(minimumCount: max(512, field.tapCount + 256))
        // The level correction for one wall is the geometric mean of the reflection factors from 500 Hz to 2 kHz.
        factor = (walls.factors[2] * walls.factors[3] * walls.factors[4]).cbrt
        let binHz = field.sampleRate.hertz / Double(transform.count)
        let decibels = walls.factors.map { 20 * log10($0) }
        let bins = transform.count / 2 + 1
        filters = Self.orders.map { order in
            MinimumPhase.spectrum(
                decibels: (0..<bins).map { Double(order) * OctaveBands.curve(decibels, at: Double($0) * binHz) })
        }
        rows = PlanarBlock(channels: Self.orders.count * Self.elevations * azimuths * 2, frames: taps)
        inParallel(Self.elevations * azimuths, chunk: 60) { range in
            for place in range {
                let (ring, column) = (place / azimuths, place % azimuths)
                let direction = Direction<Head>(
                    azimuth: 2 * .pi * Double(column) / Double(azimuths),
                    elevation: (Double(ring) * 10 - 90) * .pi / 180)
                let spectrum = self.spectrum(direction)
                for order in Self.orders.indices {
                    let row = ((order * Self.elevations + ring) * azimuths + column) * 2
                    self.write(spectrum, through: order, left: self.rows[row], right: self.rows[row + 1])
                }
            }
        }
    }

    /// Returns the spectrum of left + i·right for a direction.
    private func spectrum(_ direction: Direction<Head>) -> (real: [Double], imaginary: [Double]) {
        let (l, r) = field.responses(direction)
        var real = l.map(Double.init) + [Double](repeating: 0, count: transform.count - l.count)
        var imaginary = r.map(Double.init) + [Double](repeating: 0, count: transform.count - r.count)
        transform.forward(&real, &imaginary)
        return (real, imaginary)
    }

    /// Writes the responses of both ears after the walls of `orders[order]`, faded out over their last 16 samples.
    private func write(
        _ spectrum: (real: [Double], imaginary: [Double]), through order: Int, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>
    ) {
        var (real, imaginary) = spectrum
        let count = transform.count
        for k in 0..<count {
            // The wall's impulse response is real: the upper half of its spectrum is the conjugate of the lower.
            let wall = filters[order][k <= count / 2 ? k : count - k]
            let b = k <= count / 2 ? wall.imaginary : -wall.imaginary
            (real[k], imaginary[k]) = (
                real[k] * wall.real - imaginary[k] * b, real[k] * b + imaginary[k] * wall.real
            )
        }
        transform.inverse(&real, &imaginary)
        for i in 0..<taps {
            let fade = i < taps - 16 ? 1 : Double(taps - i) / 17
            left[i] = Float(real[i] * fade)
            right[i] = Float(imaginary[i] * fade)
        }
    }

    /// Writes the responses of a first reflection from its exact direction.
    func firstReflection(
        _ direction: Direction<Head>, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        write(spectrum(direction), through: 0, left: left, right: right)
    }

    /// Returns the table entry of an image for a head that faces the front, and the gain with which the entry is added.
    func place(_ image: ImageSource) -> (ring: Int, azimuth: Int, order: Int, gain: Double) {
        let elevation = asin(max(-1, min(1, image.direction.z))) * 180 / .pi
        let turn = atan2(image.direction.y, image.direction.x) / (2 * .pi)
        let azimuth = Int((turn * Double(azimuths)).rounded())
        let order = Self.orders.lastIndex { Double($0) <= image.walls + 0.5 } ?? 0
        let rest = image.walls - Double(Self.orders[order])
        return (
            max(0, min(Self.elevations - 1, Int(((elevation + 90) / 10).rounded()))),
            (azimuth % azimuths + azimuths) % azimuths, order, image.gain * pow(factor, rest)
        )
    }

    /// Returns the left ear's response of an entry.
    func row(ring: Int, azimuth: Int, order: Int) -> UnsafePointer<Float> {
        UnsafePointer(rows[((order * Self.elevations + ring) * azimuths + azimuth) * 2])
    }
    /// Returns the right ear's response of an entry.
    func rightRow(ring: Int, azimuth: Int, order: Int) -> UnsafePointer<Float> {
        UnsafePointer(rows[((order * Self.elevations + ring) * azimuths + azimuth) * 2 + 1])
    }
}

extension Double {
    /// Cube root.
    fileprivate var cbrt: Double { Glibc.cbrt(self) }
}
