import Geometry
import Glibc

/// The sound of one mirror image of a loudspeaker, or one scattered arrival (`ScatteredSound`), at the listener's head.
struct ImageSource: Sendable {
    /// Direction of arrival for a head that faces the front.
    var direction: SIMD3<Double>
    /// Delay after the direct sound, seconds.
    var delay: Double
    /// Delay after emission, seconds.
    var time: Double
    /// Amplitude relative to the direct sound, without absorption at walls: spherical spreading, directivity of the
    /// loudspeaker, and loss by scattering. Scattered arrivals have either sign.
    var gain: Double
    /// Number of walls on the path of an image, ≥ 1; 2 for every scattered arrival.
    var order: Int
    /// Number of walls for the absorption: 1 for a first reflection, else path length over mean free path, ≥ 1.
    var walls: Double
}

/// Mirror images of loudspeakers in a shoebox.
///
/// Source: Allen & Berkley, "Image method for efficiently simulating small-room acoustics", JASA 65 (1979), eq. 8–10.
/// Deviations: images beyond the first order are moved at random by up to 2 % of the room's mean dimension in each
/// axis, which breaks the sweeping echoes of perfect boxes (De Sena, Antonello, Moonen & van Waterschoot, IEEE/ACM
/// TASLP 23 (2015)). Loudspeakers radiate as subcardioids and face the listener. Beyond the first order the loss of a
/// path is the mean loss of all paths of its length, as in a scattering room. Sound then decays equally from all sides,
/// without flutter along the longest dimension, and continues into the diffuse tail. `ScatteredSound` renders the
/// energy that scattering takes from the images.
enum ImageSources {
    /// Returns all images of a loudspeaker that arrive within `duration` seconds of its direct sound, after at most
    /// `maximumOrder` reflections. Without `maximumOrder` there would be about 4/3·π·r³/volume images, where r is the
    /// distance of the loudspeaker plus the path of sound in `duration`.
    static func images(
        of direction: Direction<Stage>, in room: Shoebox, within duration: Double, maximumOrder: Int, seed: UInt64
    ) -> [ImageSource] {
        let nearest = room.distance(towards: direction)
        let source = room.listener + direction.unit * nearest
        let reach = nearest + duration * Radiation.speedOfSound
        let jitter = 0.02 * (room.size.x + room.size.y + room.size.z) / 3
        var random = SeededNoise(seed: seed)
        let most = SIMD3(
            Int(reach / (2 * room.size.x)) + 1, Int(reach / (2 * room.size.y)) + 1, Int(reach / (2 * room.size.z)) + 1)
        let path = WallReflection(room).meanFreePath
        var images: [ImageSource] = []
        for mx in -most.x...most.x {
            for my in -most.y...most.y {
                for mz in -most.z...most.z {
                    for mirror in 0..<8 {
                        let p = SIMD3(mirror & 1, mirror >> 1 & 1, mirror >> 2)
                        let order =
                            abs(mx - p.x) + abs(mx) + abs(my - p.y) + abs(my) + abs(mz - p.z) + abs(mz)
                        guard order >= 1, order <= maximumOrder else { continue }
                        let sign = SIMD3(1 - 2 * Double(p.x), 1 - 2 * Double(p.y), 1 - 2 * Double(p.z))
                        let shift = SIMD3(Double(mx), Double(my), Double(mz)) * 2 * room.size
                        var offset = sign * source + shift - room.listener
                        if order > 1 {
                            offset += jitter * SIMD3(random.uniform(), random.uniform(), random.uniform())
                        }
                        let distance = (offset * offset).sum().squareRoot()
                        guard distance > nearest, distance < reach else { continue }
                        let seen = offset / distance
                        // The axis of the mirrored loudspeaker points at the mirrored listener.
                        let facing = (-sign * direction.unit * -seen).sum()
                        let walls = order == 1 ? 1 : max(1, distance / path)
                        images.append(
                            ImageSource(
                                direction: seen, delay: (distance - nearest) / Radiation.speedOfSound,
                                time: distance / Radiation.speedOfSound,
                                gain: nearest / distance * Radiation.amplitude(cosine: facing)
                                    * pow(1 - room.scattering, walls / 2), order: order, walls: walls))
                    }
                }
            }
        }
        return images
    }
}
