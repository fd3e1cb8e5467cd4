import Geometry
import Glibc
import Signal

/// Common level of all sets: pink noise from the loudspeakers of 7.1 is equally loud with every set.
///
/// Loudness is that of `EarLoudness`, for uncorrelated channels of equal level, without LFE. Levels that were set by
/// the power in a diffuse field differed by up to 0.6 LU between sets, so they are not used.
enum StageLevel {
    /// Azimuths of the loudspeakers (ITU-R BS.2051-3, system I), degrees.
    static let azimuths: [Double] = [0, 30, -30, 90, -90, 135, -135]
    /// Energy of both ears relative to that of one unit impulse, dB. It is the value of the generated head if the mean
    /// of its diffuse field over 0.3…8 kHz is 0 dB.
    static let target = 3.0

    /// Returns the linear gain that brings responses on a grid (`[point][ear][tap]`) to `target`. It takes eight
    /// transforms of at least 16 384 points.
    static func gain(_ responses: [Float], taps: Int, grid: RingGrid, sampleRate: Double) -> Double {
        let loudness = EarLoudness(taps: taps, sampleRate: sampleRate)
        let lookup = RingGridLookup(grid)
        defer { lookup.deallocate() }
        var energy = 0.0
        for azimuth in azimuths {
            let unit = Direction<Head>(azimuthDegrees: azimuth, elevationDegrees: 0).unit
            let cell = lookup.cell(x: unit.x, y: unit.y, z: unit.z)
            var ears = [[Float]](repeating: [Float](repeating: 0, count: taps), count: 2)
            for corner in 0..<4 {
                let (point, weight) = (Int(cell.points[corner]), Float(cell.weights[corner]))
                for ear in 0..<2 {
                    let row = (2 * point + ear) * taps
                    for i in 0..<taps { ears[ear][i] += weight * responses[row + i] }
                }
            }
            energy += loudness.energy(left: ears[0], right: ears[1])
        }
        let impulse = loudness.energy(left: [1], right: [])
        let mean = energy / Double(azimuths.count) / max(1e-30, impulse)
        return (pow(10, target / 10) / max(1e-20, mean)).squareRoot()
    }
}
