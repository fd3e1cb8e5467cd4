import Geometry
import Glibc
import HRTF
import Signal

/// Head-related responses of reflections from all round, for numbers of walls met: what every yaw of every source is
/// put together from.
///
/// Azimuths stand as far apart as the yaws do, so that a turn of the head is a shift along the table; elevations 10°
/// apart, which is as good as the ear needs beyond the first reflections (those are rendered from their own
/// directions). Immutable after `init`, which alone writes to the memory.
final class ReflectionTable: Sendable {
    /// Samples of each response, a multiple of 16.
    let taps: Int
    /// Number of azimuths, counter-clockwise from the front.
    let azimuths: Int
    private static let elevations = 19
    /// Numbers of walls with a table of their own; between them one nearby is used, and its level corrected.
    private static let orders = [1, 2, 3, 4, 6, 8, 11, 15]
    private let rows: PlanarBlock
    private let field: FilterField
    private let transform: FourierTransform
    /// Spectra of the wall's effect per entry of `orders`.
    private let filters: [[(real: Double, imaginary: Double)]]
    private let factor: Double

    /// A table for a field and walls. Some tenths of a second on two cores; 40 MB at 48 kHz.
    init(_ field: FilterField, walls: WallReflection, azimuths: Int) {
        self.field = field
        self.azimuths = azimuths
        taps = (field.tapCount + 64 + 15) / 16 * 16
        transform = FourierTransform(minimumCount: max(512, field.tapCount + 256))
        // Level correction goes by the mean of the octaves 500 Hz to 2 kHz.
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

    /// The pair after the walls of `orders[order]`, faded out over its last 16 samples.
    private func write(
        _ spectrum: (real: [Double], imaginary: [Double]), through order: Int, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>
    ) {
        var (real, imaginary) = spectrum
        let count = transform.count
        for k in 0..<count {
            // The wall's filter is real in time: its upper half mirrors the lower.
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

    /// The responses of one wall from exactly a direction.
    func firstReflection(
        _ direction: Direction<Head>, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        write(spectrum(direction), through: 0, left: left, right: right)
    }

    /// Where an image stands in the table while the head faces the front, and its amplitude there.
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

    /// The left ear's row of a place; the right ear's is the next.
    func row(ring: Int, azimuth: Int, order: Int) -> UnsafePointer<Float> {
        UnsafePointer(rows[((order * Self.elevations + ring) * azimuths + azimuth) * 2])
    }
    /// The right ear's row of a place.
    func rightRow(ring: Int, azimuth: Int, order: Int) -> UnsafePointer<Float> {
        UnsafePointer(rows[((order * Self.elevations + ring) * azimuths + azimuth) * 2 + 1])
    }
}

extension Double {
    /// Cube root.
    fileprivate var cbrt: Double { Glibc.cbrt(self) }
}
