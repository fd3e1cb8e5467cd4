import Geometry
import Glibc

/// A rectangular room with a listener, described by its size and by the reverberation time of each octave.
///
/// Coordinates are in metres from a corner: x along the length, towards the front of the stage; y to the left; z up.
package struct Shoebox: Hashable, Sendable {
    /// Name on the command line.
    package var name: String
    /// Description of the room, shown to users.
    package var title: String
    /// Length, width and height, metres.
    package var size: SIMD3<Double>
    /// Position of the head's centre, metres.
    package var listener: SIMD3<Double>
    /// Distance of the loudspeakers from the head, metres; the walls may reduce it.
    package var distance: Double
    /// Reverberation time in each of `OctaveBands.centres`, seconds.
    package var reverberationTimes: [Double]
    /// Share of the energy that walls scatter at each reflection, 0…1; see `ScatteredSound`.
    package var scattering: Double

    /// Named rooms, the shortest reverberation first.
    package static let presets = [studio, livingRoom, hall]

    /// A control room with a short, even reverberation of 0.25 to 0.32 s (EBU Tech 3276 asks for 0.2…0.4 s).
    package static let studio = Shoebox(
        name: "studio", title: "control room, 5.8 × 4.6 × 2.9 m", size: SIMD3(5.8, 4.6, 2.9),
        listener: SIMD3(2.55, 2.36, 1.25), distance: 2,
        reverberationTimes: [0.32, 0.3, 0.28, 0.27, 0.27, 0.26, 0.25], scattering: 0.1)
    /// A furnished living room.
    package static let livingRoom = Shoebox(
        name: "living-room", title: "living room, 5.2 × 4.1 × 2.5 m", size: SIMD3(5.2, 4.1, 2.5),
        listener: SIMD3(2.2, 2.13, 1.1), distance: 1.9,
        reverberationTimes: [0.55, 0.5, 0.46, 0.43, 0.42, 0.39, 0.35], scattering: 0.2)
    /// A concert hall, from a seat close to the loudspeakers.
    package static let hall = Shoebox(
        name: "hall", title: "concert hall, 30 × 19 × 12 m", size: SIMD3(30, 19, 12), listener: SIMD3(13, 9.8, 1.8),
        distance: 5, reverberationTimes: [2.3, 2.2, 2.1, 2.0, 1.9, 1.6, 1.15], scattering: 0.6)

    /// Volume, m³.
    package var volume: Double { size.x * size.y * size.z }

    /// Returns the room with its loudspeakers at another distance, metres; nil keeps the distance.
    func standing(at own: Double?) -> Shoebox {
        var room = self
        room.distance = own ?? distance
        return room
    }

    /// Returns the distance of a loudspeaker in a direction from the head: `distance`, reduced (to 0.3 m at the least)
    /// so that the loudspeaker keeps 15 cm from the walls.
    func distance(towards direction: Direction<Stage>) -> Double {
        var reach = distance
        for axis in 0..<3 {
            let along = direction.unit[axis]
            let free = along > 0 ? size[axis] - listener[axis] : listener[axis]
            if abs(along) > 1e-6 { reach = min(reach, max(0.3, (free - 0.15) / abs(along))) }
        }
        return reach
    }
}
