import Glibc

/// Effect of the torso on the sphere's response by direction: an echo, a boost and a shadow.
///
/// Directions are unit vectors in one ear's axes: x front, y out of that ear's side, z up.
///
/// The echo is one specular point on a sphere below the head, after the snowman of Algazi, Duda & Duraiswami,
/// "Approximating the head-related transfer function using simple geometric models of the head and torso", JASA 112
/// (2002); their torso shadow is a shelf that deepens towards directions from which the torso hides the ear: below and
/// beyond the head. The numbers were fitted (see `Documentation/explanation/generated-head.md`).
struct Torso: Sendable {
    /// Radius of the torso's sphere and of the head's, metres.
    let radius = 0.22
    let headRadius = RigidSphere.averageRadius
    /// Gap between the two spheres, and distance of the torso's sphere behind the head's, metres.
    let neck = 0.03
    let behind = 0.07
    /// Strength of the echo at normal incidence on the ear's own side, and its fall towards the other side: (1 +
    /// s·y)/(1 + s).
    let strength = 0.16
    let sidedness = 0.6
    /// Gain of the deepest shadow, dB, middle frequency of its shelf, and angle of the deepest shadow below the
    /// opposite ear, radians.
    let shadowDecibels = -11.0
    let shadowHertz = 2500.0
    let shadowDip = 54 * Double.pi / 180
    /// Shoulder and neck as a baffle: a boost of low frequencies from the ear's own side and from below, dB along the
    /// direction.
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

    /// Returns the extra delay (seconds) and strength of the echo at an ear (metres from the head's centre). At the
    /// specular point the angles to the source and to the ear are equal; it is found by bisection.
    func echo(_ source: SIMD3<Double>, ear: SIMD3<Double>) -> (delay: Double, strength: Double) {
        let fromTorso = ear + SIMD3(behind, 0, headRadius + neck + radius)
        let towards = fromTorso / (fromTorso * fromTorso).sum().squareRoot()
        let opening = acos(max(-1, min(1, (source * towards).sum())))
        // Axes of the plane of source and ear: along the source, and across it towards the ear.
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
            // Towards the ear's direction the outgoing angle shrinks.
            if outgoing > angle { low = angle } else { high = angle }
        }
        let toEar = fromTorso - normal * radius
        let path = (toEar * toEar).sum().squareRoot() + (source * toEar).sum()
        let grazing = max(0, cos((low + high) / 2))
        let share = (1 + sidedness * source.y) / (1 + sidedness)
        return (max(0, path) / RigidSphere.speedOfSound, strength * share * grazing)
    }
}
