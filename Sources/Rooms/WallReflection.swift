import Glibc

/// Reflection factors of the walls in each octave, derived from the room's reverberation times.
///
/// A path of length ct (c: speed of sound, t: time) meets ct/ℓ walls on average, where ℓ = 4V/S is the mean free path
/// in a room with volume V and surface S. A reverberation time of T means that each wall reflects the amplitude e^{−3
/// ln 10·ℓ/(cT)}: Eyring's formula, solved for the absorption (Kuttruff, "Room Acoustics", §5.1). Relative to the
/// direct sound at the distance r, the diffuse field of the room has the energy 4πc·r²/V·⟨D²⟩·e^{−6 ln 10·t/T} per
/// second at time t after emission, with the directivity D. There are 4πc³t²/V images per second, each (r/ct)² as
/// strong as the direct sound (§4.1). So images and a diffuse tail have the same energy, at whatever time the tail
/// begins.
struct WallReflection: Sendable {
    /// Mean free path between walls, metres.
    let meanFreePath: Double
    /// Amplitude factor of one reflection per octave band, 0…1.
    let factors: [Double]
    /// Energy of the diffuse field per second, extrapolated to the time of emission, relative to the direct sound.
    let diffuseEnergy: Double

    /// Computes the factors of a room from its size and reverberation times.
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
