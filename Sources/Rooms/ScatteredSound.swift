import Geometry
import Glibc

/// Sound that rough walls scatter to the head, in addition to the mirror images: many weak arrivals, each from the
/// point of a wall at which the sound was scattered.
///
/// Rays leave the loudspeaker. At every wall a share s of a ray's energy is scattered by Lambert's law. From this point
/// the head receives the energy E·s·cos θ/(πρ²), where E is the ray's energy, θ the angle to the wall's normal and ρ
/// the distance to the head ("diffuse rain": Schröder, "Physically Based Real-Time Auralization of Interactive Virtual
/// Environments", 2011, §5.3.4, after Heinz, Applied Acoustics 38 (1993)). Scattered sound is scattered completely at
/// all further walls. The mirror images keep (1 − s) per wall (`ImageSources`), so that both together carry the energy
/// of the images without scattering. Deviations: s is the same at all frequencies; arrivals have random signs, as rough
/// surfaces give them random phases.
enum ScatteredSound {
    /// Arrivals per second, dense enough to be heard as noise (Lindau, Kosanke & Weinzierl, JAES 60 (2012), find rooms
    /// mixed at some thousand reflections per second).
    static let arrivalRate = 20_000.0
    /// Least distance ρ to the head, metres; smaller distances are raised to it.
    private static let nearest = 1.0

    /// Returns all arrivals from a loudspeaker within `duration` seconds of its direct sound, about `arrivalRate` per
    /// second; none without scattering. O(arrivals).
    static func arrivals(
        of direction: Direction<Stage>, in room: Shoebox, within duration: Double, seed: UInt64
    ) -> [ImageSource] {
        guard room.scattering > 0 else { return [] }
        let direct = room.distance(towards: direction)
        let source = room.listener + direction.unit * direct
        let reach = direct + duration * Radiation.speedOfSound
        let path = WallReflection(room).meanFreePath
        let count = max(16, Int((arrivalRate * path / Radiation.speedOfSound).rounded()))
        var random = SeededNoise(seed: seed)
        var found: [ImageSource] = []
        for index in 0..<count {
            // Ray directions are uniform over the sphere, on a spiral.
            let z = 1 - (2 * Double(index) + 1) / Double(count)
            let turn = Double(index) * .pi * (3 - 5.0.squareRoot()) + random.uniform() * 0.1
            var heading = SIMD3((1 - z * z).squareRoot() * cos(turn), (1 - z * z).squareRoot() * sin(turn), z)
            let amplitude = Radiation.amplitude(cosine: -(heading * direction.unit).sum())
            let energy = 4 * .pi * direct * direct / Double(count) * amplitude * amplitude
            var (place, travelled, isScattered) = (source, 0.0, false)
            while true {
                let (axis, way) = wall(from: place, towards: heading, in: room)
                travelled += way
                guard travelled < reach else { break }
                place += heading * way
                let normal: Double = heading[axis] > 0 ? -1 : 1
                let toHead = room.listener - place
                let distance = (toHead * toHead).sum().squareRoot()
                let length = travelled + distance
                let share = isScattered ? 1 : room.scattering
                let cosine = max(0, toHead[axis] * normal / distance)
                let received = energy * share * cosine / (.pi * max(nearest, distance) * max(nearest, distance))
                let sign: Double = random.uniform() < 0 ? -1 : 1
                if length < reach, length > direct, received > 0 {
                    found.append(
                        ImageSource(
                            direction: -toHead / distance, delay: (length - direct) / Radiation.speedOfSound,
                            time: length / Radiation.speedOfSound, gain: sign * received.squareRoot(), order: 2,
                            walls: max(1, length / path)))
                }
                if !isScattered { isScattered = (random.uniform() + 1) / 2 < room.scattering }
                if isScattered {
                    heading = lambert(about: axis, normal, &random)
                } else {
                    heading[axis] = -heading[axis]
                }
            }
        }
        return found
    }

    /// Returns the next wall of a ray: the axis of its normal, and the distance along the ray.
    private static func wall(
        from place: SIMD3<Double>, towards heading: SIMD3<Double>, in room: Shoebox
    ) -> (axis: Int, way: Double) {
        var (axis, way) = (0, Double.infinity)
        for candidate in 0..<3 where abs(heading[candidate]) > 1e-9 {
            let end = heading[candidate] > 0 ? room.size[candidate] : 0
            let length = max(0, (end - place[candidate]) / heading[candidate])
            if length < way { (axis, way) = (candidate, length) }
        }
        return (axis, way)
    }

    /// Returns a random direction away from a wall by Lambert's law: the squared cosine to the normal is uniform.
    private static func lambert(about axis: Int, _ normal: Double, _ random: inout SeededNoise) -> SIMD3<Double> {
        let square = (random.uniform() + 1) / 2
        let turn = random.uniform() * .pi
        let along = (1 - square).squareRoot()
        var heading = SIMD3<Double>.zero
        heading[axis] = normal * max(0.01, square.squareRoot())
        heading[(axis + 1) % 3] = along * cos(turn)
        heading[(axis + 2) % 3] = along * sin(turn)
        return heading / (heading * heading).sum().squareRoot()
    }
}
