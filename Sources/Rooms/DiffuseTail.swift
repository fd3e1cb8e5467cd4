import Glibc
import HRTF

/// Late part of a generated room: noise with a decay time for each octave, and with the interaural coherence of a
/// diffuse field.
struct DiffuseTail {
    private let head: HeadDiffuseField
    private let room: Shoebox
    private let walls: WallReflection
    private let sampleRate: Double
    private let decay: TailDecay

    /// Prepares tails for a room and a head.
    init(_ head: HeadDiffuseField, room: Shoebox, walls: WallReflection, sampleRate: Double) {
        self.head = head
        self.room = room
        self.walls = walls
        self.sampleRate = sampleRate
        decay = TailDecay(room.reverberationTimes)
    }

    /// Returns the noise of both ears; its first sample is heard `start` seconds after emission.
    ///
    /// Two independent white noises a and b become √P_L·(√((1 + γ)/2)·a + √((1 − γ)/2)·b) at the left ear and
    /// √P_R·(√((1 + γ)/2)·a − √((1 − γ)/2)·b) at the right. Their powers P and their coherence γ are then those of
    /// `head` (Borss & Martin 2009, §3). The slow fluctuation of each octave is removed (`TailEnvelope`), and each
    /// octave decays by 60 dB in its own time (`TailDecay`). Finally the coherence of the samples from `late` on is
    /// corrected to the expected one (`TailCoherence`). Cost: eleven transforms, whose length is the next power of two
    /// above `count`; about 15 ms each for a tail of two seconds.
    func noise(from start: Double, count: Int, late: Int, seed: UInt64) -> (left: [Float], right: [Float]) {
        let transform = FourierTransform(minimumCount: count)
        let n = transform.count
        var random = SeededNoise(seed: seed)
        var a = [Double](repeating: 0, count: n)
        var b = a
        for i in 0..<n { (a[i], b[i]) = random.pair() }
        transform.forward(&a, &b)
        // Spectra of both ears for bins 0...n/2, separated from the transform of a + i·b.
        let half = n / 2
        var ears = [SIMD4<Double>](repeating: .zero, count: half + 1)
        var weights = [[Double]](repeating: [], count: half + 1)
        let binHz = sampleRate / Double(n)
        for k in 0...half {
            let m = (n - k) & (n - 1)
            let first = SIMD2((a[k] + a[m]) / 2, (b[k] - b[m]) / 2)
            let second = SIMD2((b[k] + b[m]) / 2, (a[m] - a[k]) / 2)
            let (left, right, coherence) = head.at(Double(k) * binHz)
            let (same, apart) = (((1 + coherence) / 2).squareRoot(), ((1 - coherence) / 2).squareRoot())
            let l = (first * same + second * apart) * left
            let r = (first * same - second * apart) * right
            ears[k] = SIMD4(l.x, l.y, r.x, r.y)
            weights[k] = OctaveBands.weights(at: Double(k) * binHz)
        }
        var left = [Float](repeating: 0, count: count)
        var right = left
        for band in OctaveBands.centres.indices {
            var real = [Double](repeating: 0, count: n)
            var imaginary = real
            var power = SIMD2<Double>.zero
            for k in 0...half where weights[k][band] > 0 {
                let e = ears[k] * weights[k][band]
                // Bin of left + i·right, and its mirror bin conj(left) + i·conj(right).
                (real[k], imaginary[k]) = (e.x - e.w, e.y + e.z)
                let field = head.at(Double(k) * binHz)
                let share = weights[k][band] * weights[k][band] * (k > 0 && k < half ? 2 : 1) / Double(n)
                power += share * SIMD2(field.left * field.left, field.right * field.right)
                if k > 0 && k < half { (real[n - k], imaginary[n - k]) = (e.x + e.w, e.z - e.y) }
            }
            transform.inverse(&real, &imaginary)
            TailEnvelope.even(&real, power: power.x, centre: OctaveBands.centres[band], sampleRate: sampleRate)
            TailEnvelope.even(&imaginary, power: power.y, centre: OctaveBands.centres[band], sampleRate: sampleRate)
            let rate = 3 * log(10) / decay.times[band]
            let step = exp(-rate / sampleRate)
            // The level at the start follows from the walls' diffuse energy.
            let nominal = 3 * log(10) / room.reverberationTimes[band]
            var level = (walls.diffuseEnergy / sampleRate).squareRoot() * exp(-nominal * start)
            for i in 0..<count {
                left[i] += Float(real[i] * level)
                right[i] += Float(imaginary[i] * level)
                level *= step
            }
        }
        TailCoherence(head, sampleRate: sampleRate).balance(left: left, right: &right, from: late)
        return (left, right)
    }
}
