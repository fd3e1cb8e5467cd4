import Geometry
import Glibc
import Signal

/// Interpolates scattered responses to every point of a grid.
///
/// The result is the weighted sum of the time-aligned responses, with magnitudes moved towards the weighted sum of the
/// magnitudes. Averages of complex spectra with different phases lose level at high frequencies, up to 4 dB at the far
/// ear (Arend, Pörschmann, Weinzierl & Brinkmann, "Magnitude-corrected and time-aligned interpolation of head-related
/// transfer functions", IEEE/ACM TASLP 31 (2023), §II). Arend et al. average log-magnitudes; here averages of
/// amplitudes were 3…5 % better on four sets. Separate weights for the magnitudes, from a rougher kernel, were 2…8 %
/// better on eight sets.
enum GridInterpolation {
    /// Number of points of one ring that a kernel interpolates from the same measured directions.
    static let patch = 3

    /// Returns the field to play: the result of `spread`, balanced for linear interpolation between its points. In sets
    /// of at most `InterpolationChoice.sparse` directions the responses bend most at the measured directions, so the
    /// grid is also fitted to the measured responses. In denser sets such a fit would add a kink every 2 to 5° of head
    /// movement (CIPIC at 100°/s: 0.5 dB more error).
    static func field(
        _ source: ScatteredResponses, on grid: RingGrid, _ method: InterpolationMethod
    ) -> (responses: [Float], onsets: [Float]) {
        var field = balanced(spread(source, to: grid, method), on: grid, taps: source.taps)
        if source.directions.count <= InterpolationChoice.sparse {
            grid.fit(&field.responses, width: 2 * source.taps, to: source.rows, at: source.directions)
        }
        return field
    }

    /// Returns responses and onsets at the points, changed so that linear interpolation between the points is most
    /// accurate.
    static func balanced(
        _ field: (responses: [Float], onsets: [Float]), on grid: RingGrid, taps: Int
    ) -> (responses: [Float], onsets: [Float]) {
        (grid.balanced(field.responses, width: 2 * taps), grid.balanced(field.onsets, width: 2))
    }

    /// Returns the interpolated responses `[point][ear][tap]` and onsets `[point][ear]` in samples. O(points ·
    /// neighbours · (taps + bins)), in parallel.
    static func spread(
        _ source: ScatteredResponses, to grid: RingGrid, _ method: InterpolationMethod
    ) -> (responses: [Float], onsets: [Float]) {
        let taps = source.taps
        let features = InterpolationFeatures(source)
        let points = grid.directions(in: Head.self)
        let patches = patches(of: grid)
        let spline = SphericalSpline(source.directions)
        let completion = Completion(source.directions, spline)
        var responses = [Float](repeating: 0, count: points.count * 2 * taps)
        var onsets = [Float](repeating: 0, count: points.count * 2)
        responses.withUnsafeMutableBufferPointer { responses in
            onsets.withUnsafeMutableBufferPointer { onsets in
                guard let target = responses.baseAddress else { return }
                nonisolated(unsafe) let (responses, onsets) = (target, onsets)
                inParallel(patches.count, chunk: max(1, patches.count / 64)) { range in
                    var corrector = MagnitudeCorrector(
                        features, shares: method.shares, sampleRate: source.sampleRate)
                    let magnitudes = AlignedMemory.allocate(Float.self, count: 2 * features.bins)
                    defer { magnitudes.deallocate() }
                    for patch in range {
                        let members = patches[patch]
                        let centre = points[(members.lowerBound + members.upperBound - 1) / 2].unit
                        let surroundings = points[members].map { completion.surroundings(of: $0) }
                        func weights(
                            _ kind: InterpolationMethod.Weights, of part: InterpolationMethod.Part
                        ) -> [RowWeights] {
                            completion.complete(
                                spline.rowWeights(
                                    kind, of: part, likeness: method.likeness, around: centre, for: points[members]),
                                in: surroundings, kind, of: part, likeness: method.likeness)
                        }
                        let own = weights(method.weights, of: .responses)
                        let others =
                            method.magnitudes == method.weights ? own : weights(method.magnitudes, of: .magnitudes)
                        for (place, point) in members.enumerated() {
                            let row = responses + point * 2 * taps
                            features.blendResponses(own[place], to: row)
                            features.blendMagnitudes(others[place], to: magnitudes)
                            corrector.correct(row, by: magnitudes)
                            let arrival = source.model.model(points[point])
                            for ear in 0..<2 {
                                let modelled = (ear == 0 ? arrival.left : arrival.right) * source.sampleRate
                                onsets[2 * point + ear] = Float(
                                    features.onset(own[place], ear: ear, arrival: modelled))
                            }
                        }
                    }
                }
            }
        }
        return (responses, onsets)
    }

    /// Returns runs of neighbouring points, each on one ring.
    private static func patches(of grid: RingGrid) -> [Range<Int>] {
        (0..<grid.ringCount).flatMap { ring in
            stride(from: 0, to: grid.counts[ring], by: patch).map { start in
                let first = grid.first[ring]
                return (first + start)..<(first + min(grid.counts[ring], start + patch))
            }
        }
    }
}
