import Glibc

/// Reflection factors of the walls in each octave, derived from the room's reverberation times.
///
/// A path of length ct meets ct/ℓ walls in the mean, ℓ = 4V/S being the mean free path, and a reverberation time of T
/// means that each sends back the amplitude e^{−3 ln 10·ℓ/(cT)}: Eyring's formula, solved for the absorption (Kuttruff,
/// "Room Acoustics", §5.1). A diffuse field of the same room holds 4πc·r²/V·⟨D²⟩·e^{−6 ln 10·t/T} energy per second at
/// time t after emission, against the direct sound at the distance r: there are 4πc³t²/V images a second, each (r/ct)²
/// as strong as the direct sound (§4.1). So images and a diffuse tail that begins at any time agree in energy.
struct WallReflection: Sendable {
    /// Mean free path between walls, metres.
    let meanFreePath: Double
    /// Amplitude factor of one reflection per octave band, 0…1.
    let factors: [Double]
    /// Energy per second against the direct sound's, which a diffuse field has at the time of emission.
    let diffuseEnergy: Double

    /// Computes the factors for a room and its reverberation times.
    init(_ room: Shoebox) {
        let size = room.size
        let surface = 2 * (size.x * size.y + size.y * size.z + size.z * size.x)
        let path = 4 * room.volume / surface
        meanFreePath = path
        factors = room.reverberationTimes.map { exp(-3 * log(10) * path / (Radiation.speedOfSound * $0)) }
        diffuseEnergy =
            4 * .pi * Radiation.speedOfSound * room.distance * room.distance / room.volume
            * Radiation.meanSquare
    }
}
