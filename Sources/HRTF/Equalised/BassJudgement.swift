import Geometry
import Glibc

/// Lowest frequency at which a set's responses are reliable, judged from up to 150 directions.
///
/// At low frequencies a head acts as a sphere. The level of a response relative to the sphere's, in a third of an
/// octave, is the level of the loudspeaker and equal in all directions. If this level scatters over directions and
/// ears, the measurement had no bass (noise, a window, an equalisation that began higher). If the mean level falls, the
/// loudspeaker had no bass. The mean over directions alone would not show the scatter.
struct BassJudgement: Sendable {
    /// Frequencies at which the crossover to the sphere may begin, hertz. With 0 the set keeps all of its bass.
    ///
    /// From `narrow` on, the candidates are the upper ends of thirds of an octave, and the crossover is the next third,
    /// because a head differs from a sphere at these frequencies. The measurement is then used down to the highest band
    /// that is noise.
    static let candidates: [Double] = [0, 90, 125, narrow, 223, 281, 354, 445, 561]
    /// Lowest candidate, hertz, whose crossover is a third of an octave wide. Crossovers of lower candidates are almost
    /// an octave wide.
    static let narrow = 177.0
    /// Largest scatter over directions that is plausible for a head, dB. KU100 and the generated head have 0.3…0.8 dB
    /// below 200 Hz, good measurements of people up to 2.1 dB. Above 200 Hz heads deviate from spheres, so the limit
    /// rises by `perOctave` dB per octave.
    static let tolerableScatter = (below200: 2.5, perOctave: 0.4)
    /// Largest deviation of the mean level of a third of an octave from that of 400…1000 Hz, dB. `kept` applies if the
    /// set keeps its own bass, `joined` if a sphere replaces the lowest frequencies: the common equalisation then
    /// corrects the rest.
    static let tolerableSlope = (kept: 5.0, joined: 8.0)

    /// Start of the crossover, hertz; nil if the set's bass is good.
    let crossover: Double?
    /// Largest scatter over directions in thirds of an octave at 63…160 Hz, dB.
    let scatter: Double
    /// Largest deviation of the mean level at 63…160 Hz from that of 400…1000 Hz, dB, with its sign.
    let slope: Double

    /// Evaluates at most 150 directions. Cost: O(150 · n log n). May be called on any thread.
    init(_ set: MeasuredSet, _ plan: ResponsePlan, _ alignment: Alignment, table: SphereTable) {
        let centres = (0...14).map { 62.5 * pow(2, Double($0) / 3) }
        let bands = centres.map { table.bins(from: $0 / pow(2, 1.0 / 6), to: $0 * pow(2, 1.0 / 6)) }
        var levels = [[Double]](repeating: [], count: bands.count)
        set.eachSpectrum(plan, alignment, at: set.some(150)) { ears, index in
            for ear in 0..<2 {
                let place = table.place(set.directions[index].incidence(ear: ear))
                for (band, bins) in bands.enumerated() {
                    var (measured, modelled) = (0.0, 0.0)
                    for bin in bins {
                        let (a, b) = (ears.real[ear][bin], ears.imaginary[ear][bin])
                        let sphere = table.value(bin, at: place)
                        measured += a * a + b * b
                        modelled += sphere.real * sphere.real + sphere.imaginary * sphere.imaginary
                    }
                    levels[band].append(10 * log10(max(1e-20, measured) / max(1e-20, modelled)))
                }
            }
        }
        let means = levels.map { $0.reduce(0, +) / Double(max(1, $0.count)) }
        let scatters = zip(levels, means).map { levels, mean in
            (levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(1, levels.count))).squareRoot()
        }
        let middle = centres.indices.filter { (400...1001).contains(centres[$0]) }
        let reference = middle.reduce(0) { $0 + means[$1] } / Double(middle.count)
        let limits = centres.map { centre in
            BassJudgement.tolerableScatter.below200 + BassJudgement.tolerableScatter.perOctave
                * max(0, log2(centre / 200))
        }
        let chosen = BassJudgement.candidates.first { low in
            let slope = low > 0 ? BassJudgement.tolerableSlope.joined : BassJudgement.tolerableSlope.kept
            return centres.indices.allSatisfy { band in
                let isAsked =
                    centres[band] > low * 1.05
                    && centres[band] < max(300, (low < BassJudgement.narrow ? 3.5 : 2.5) * low)
                return !isAsked || (scatters[band] <= limits[band] && abs(means[band] - reference) <= slope)
            }
        }
        let low = chosen ?? BassJudgement.candidates[BassJudgement.candidates.count - 1]
        crossover = low > 0 ? low : nil
        let bass = centres.indices.filter { centres[$0] < 170 }
        scatter = bass.map { scatters[$0] }.max() ?? 0
        slope = bass.map { means[$0] - reference }.max { abs($0) < abs($1) } ?? 0
    }
}

extension MeasuredSet {
    /// Returns the indices of at most `count` directions, spread over the set.
    func some(_ count: Int) -> [Int] {
        Array(stride(from: 0, to: directions.count, by: max(1, (directions.count + count - 1) / count)))
    }

    /// Calls `body` on this thread with the spectra of each direction in `indices`, and its index. The spectra are
    /// equalised, with the onsets at the plan's preroll.
    func eachSpectrum(
        _ plan: ResponsePlan, _ alignment: Alignment, at indices: [Int], _ body: (borrowing EarSpectra, Int) -> Void
    ) {
        let n = plan.transformCount
        let transform = FourierTransform(minimumCount: n)
        var real = [Double](repeating: 0, count: n)
        var imaginary = real
        var ears = EarSpectra(binCount: n / 2 + 1)
        for index in indices {
            load(index, &real, &imaginary)
            transform.forward(&real, &imaginary)
            ears.separate(real, imaginary)
            for ear in 0..<2 {
                let onset = alignment.onsets[2 * index + ear] - delays[2 * index + ear]
                ears.advance(ear, by: onset - Double(plan.preroll), of: n)
                if let equaliser = plan.equaliser { ears.filter(ear, by: equaliser) }
            }
            body(ears, index)
        }
    }
}
