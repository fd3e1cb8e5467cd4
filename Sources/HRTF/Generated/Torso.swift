import Glibc

/// Effect of the torso on the sphere's response, by direction: an echo, a boost and a shadow.
///
/// Directions are unit vectors in one ear's axes: x front, y out of this ear's side, z up.
///
/// The echo comes from one specular point on a sphere below the head, after the snowman model of Algazi, Duda &
/// Duraiswami, "Approximating the head-related transfer function using simple geometric models of the head and torso",
/// JASA 112 (2002). Their torso shadow is represented by a shelf. The shelf becomes deeper towards directions from
/// which the torso hides the ear: below the head, on the other ear's side. The numbers were fitted (see
/// `Documentation/explanation/generated-head.md`).
struct Torso: Sendable {
    /// Radii of the torso's sphere and of the head's sphere, metres.
    let radius = 0.22
    let headRadius = RigidSphere.averageRadius
    /// Gap between the two spheres, and distance of the torso's centre behind the head's centre, metres.
    let neck = 0.03
    let behind = 0.07
    /// Strength of the echo at normal incidence on the ear's own side. It falls towards the other side by the factor (1
    /// + s·y)/(1 + s) with s = `sidedness`.
    let strength = 0.16
    let sidedness = 0.6
    /// Gain of the deepest shadow, dB; centre frequency of its shelf, hertz; angle of the deepest shadow below the
    /// opposite ear, radians.
    let shadowDecibels = -11.0
    let shadowHertz = 2500.0
    let shadowDip = 54 * Double.pi / 180
    /// Shoulder and neck as a baffle: a boost of low frequencies from the ear's own side and from below. Its gain in dB
    /// is the scalar product of `baffle` and the direction.
    let baffleHertz = 960.0
    let baffleQuality = 0.95
    let baffle = SIMD3(0, 1.75, -1.0)

    /// Returns the sections for a direction.
    func sections(_ unit: SIMD3<Double>) -> [AnalogueSection] {
        let deepest = SIMD3(0, -cos(shadowDip), -sin(shadowDip))
        let shadow = max(0, (unit * deepest).sum())
        return [
            .bell(hertz: baffleHertz, quality: baffleQuality, decibels: (unit * baffle).sum()),
            .shelf(hertz: shadowHertz, decibels: shadowDecibels * shadow * shadow),
        ]
    }

    /// Returns the additional delay (seconds) and the strength of the echo at an ear. `ear`: position of the ear,
    /// metres from the head's centre. At the specular point the angles to the source and to the ear are equal; the
    /// point is found by bisection.
    func echo(_ source: SIMD3<Double>, ear: SIMD3<Double>) -> (delay: Double, strength: Double) {
        let fromTorso = ear + SIMD3(behind, 0, headRadius + neck + radius)
        let towards = fromTorso / (fromTorso * fromTorso).sum().squareRoot()
        let opening = acos(max(-1, min(1, (source * towards).sum())))
        // Axes in the plane of source and ear: along the source, and perpendicular to it towards the ear.
        let across = towards - source * (source * towards).sum()
        let length = (across * across).sum().squareRoot()
        let side = length > 1e-9 ? across / length : SIMD3(0, 0, 0)
        var (low, high) = (0.0, opening)
        var normal = source
        for _ in 0..<50 {
            let angle = (low + high) / 2
            normal = source * cos(angle) + side * sin(angle)
            let toEar = fromTorso - normal * radius
            let size = (toEar * toEar).sum().squareRoot()
            let outgoing = acos(max(-1, min(1, (toEar * normal).sum() / size)))
            // As the normal turns towards the ear, the outgoing angle decreases.
            if outgoing > angle { low = angle } else { high = angle }
        }
        let toEar = fromTorso - normal * radius
        let path = (toEar * toEar).sum().squareRoot() + (source * toEar).sum()
        let grazing = max(0, cos((low + high) / 2))
        let share = (1 + sidedness * source.y) / (1 + sidedness)
        return (max(0, path) / RigidSphere.speedOfSound, strength * share * grazing)
    }
}
