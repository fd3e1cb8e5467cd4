import Geometry
import Glibc

/// Onsets at each ear for each direction of a set, checked against the onsets of neighbouring directions.
struct Alignment: Sendable {
    /// Onsets in samples at the set's rate, including Data.Delay, `[direction][ear]`.
    var onsets: [Double]
    /// Number of outlying onsets that were replaced: by the onset at another threshold, or by the neighbours'
    /// prediction.
    var corrected = 0
    /// Radius of the rigid sphere whose interaural delays fit best, metres.
    var radius = RigidSphere.averageRadius

    /// Deviation of an onset from its neighbours' prediction, seconds, above which `repick` tries to replace the onset.
    static let tolerance = 60e-6
    /// Azimuth of the model's ears: slightly behind ±90°, as on real heads.
    static let earAzimuthDegrees = 100.0

    /// Detects onsets in all responses, replaces outliers, and fits the sphere's radius. O(directions · n log n), in
    /// parallel.
    init(_ set: MeasuredSet) {
        var size = 256
        while size < 2 * set.sampleCount { size *= 2 }
        let count = set.directions.count
        // Candidates at several thresholds, dB relative to the peak, the best first.
        let levels: [Double] = [-10, -14, -20, -7, -4]
        var candidates = [Double](repeating: 0, count: count * 2 * levels.count)
        candidates.withUnsafeMutableBufferPointer { result in
            let result = result
            inParallel(count, chunk: max(1, count / 16)) { range in
                var detector = OnsetDetector(count: size, sampleRate: set.sampleRate)
                let transform = FourierTransform(minimumCount: size)
                var real = [Double](repeating: 0, count: size)
                var imaginary = real
                for index in range {
                    set.load(index, &real, &imaginary)
                    transform.forward(&real, &imaginary)
                    let onsets = detector.onsets(real: real, imaginary: imaginary, levels: levels)
                    for (place, onset) in onsets.enumerated() {
                        result[(index * 2) * levels.count + place] = onset.left + set.delays[2 * index]
                        result[(index * 2 + 1) * levels.count + place] = onset.right + set.delays[2 * index + 1]
                    }
                }
            }
        }
        onsets = (0..<(2 * count)).map { candidates[$0 * levels.count] }
        fitRadius(set)
        repick(set, candidates: candidates, perEar: levels.count)
        fitRadius(set)
    }

    /// Returns the mean time, seconds, by which the nearer ear leads, over sources more than 30° from the median plane;
    /// nil without such sources. A negative lead means that the ears are exchanged.
    func lateralLead(_ set: MeasuredSet) -> Double? {
        var sum = 0.0
        var count = 0
        for (index, direction) in set.directions.enumerated() where abs(direction.unit.y) > 0.5 {
            let lead = onsets[2 * index + 1] - onsets[2 * index]
            sum += direction.unit.y > 0 ? lead : -lead
            count += 1
        }
        return count > 0 ? sum / Double(count) / set.sampleRate : nil
    }

    /// Returns the times at which sound from a direction arrives at the model's ears, seconds relative to the arrival
    /// at the head's centre.
    func model(_ direction: Direction<Head>) -> (left: Double, right: Double) {
        let sphere = RigidSphere(radius: radius)
        let ear = Alignment.earAzimuthDegrees
        return (
            sphere.arrival(angle: direction.angle(to: Direction(azimuthDegrees: ear, elevationDegrees: 0))),
            sphere.arrival(angle: direction.angle(to: Direction(azimuthDegrees: -ear, elevationDegrees: 0)))
        )
    }

    /// Fits the sphere's radius, at most 15 cm, to the interaural delays by least squares. Without lateral sources it
    /// is the average radius.
    private mutating func fitRadius(_ set: MeasuredSet) {
        radius = RigidSphere.averageRadius
        var (cross, square) = (0.0, 0.0)
        for (index, direction) in set.directions.enumerated() {
            let arrival = model(direction)
            let expected = arrival.left - arrival.right
            cross += expected * (onsets[2 * index] - onsets[2 * index + 1]) / set.sampleRate
            square += expected * expected
        }
        // If the expected delays are below 100 µs RMS, no direction is lateral enough for a fit.
        guard square / Double(set.directions.count) > 1e-8 else { return }
        radius = max(0, min(0.15, RigidSphere.averageRadius * cross / square))
    }

    /// Compares each onset with the prediction of a spline through the neighbours' onsets. If they differ by more than
    /// `tolerance`, the candidate closest to the prediction replaces the onset, provided that it is within `tolerance`.
    /// If no candidate is within `tolerance`, the prediction replaces an onset that differs by more than four times
    /// `tolerance`; other onsets are kept. Used only for sets of 100 directions or more, and only for directions whose
    /// sixth neighbour is within 25°.
    private mutating func repick(_ set: MeasuredSet, candidates: [Double], perEar: Int) {
        let count = set.directions.count
        guard count >= 100 else { return }
        let spline = SphericalSpline(set.directions)
        let tolerance = Alignment.tolerance * set.sampleRate
        let residuals = (0..<(2 * count)).map { row -> Double in
            let arrival = model(set.directions[row / 2])
            return onsets[row] - (row % 2 == 0 ? arrival.left : arrival.right) * set.sampleRate
        }
        var predictions = [Double](repeating: .nan, count: 2 * count)
        predictions.withUnsafeMutableBufferPointer { result in
            let result = result
            inParallel(count, chunk: max(1, count / 16)) { range in
                for index in range {
                    let here = set.directions[index]
                    let near = spline.nearest(to: here.unit, count: 7)
                    let farthest = near.map { here.angle(to: set.directions[$0]) }.max() ?? .pi
                    guard farthest < 25 * .pi / 180 else { continue }
                    let (indices, weights) = spline.weights(
                        around: here.unit, for: set.directions[index...index], neighbours: 20, leavingOut: index)
                    for ear in 0..<2 {
                        var sum = 0.0
                        for (place, other) in indices.enumerated() {
                            sum += weights[0][place] * residuals[2 * other + ear]
                        }
                        let arrival = model(here)
                        result[2 * index + ear] = sum + (ear == 0 ? arrival.left : arrival.right) * set.sampleRate
                    }
                }
            }
        }
        for row in 0..<(2 * count) where abs(predictions[row] - onsets[row]) > tolerance {
            let options = candidates[(row * perEar)..<((row + 1) * perEar)]
            let closest = options.min { abs($0 - predictions[row]) < abs($1 - predictions[row]) } ?? onsets[row]
            let choice = abs(closest - predictions[row]) <= tolerance ? closest : onsets[row]
            // On no head does an onset differ from its neighbours' prediction by four times the tolerance, so the
            // prediction is better.
            let final = abs(choice - predictions[row]) > 4 * tolerance ? predictions[row] : choice
            if final != onsets[row] {
                onsets[row] = final
                corrected += 1
            }
        }
    }
}

extension MeasuredSet {
    /// Loads the responses of one direction as left + i·right, zero-padded, without their delays.
    func load(_ index: Int, _ real: inout [Double], _ imaginary: inout [Double]) {
        let start = 2 * index * sampleCount
        for i in 0..<real.count {
            real[i] = i < sampleCount ? Double(responses[start + i]) : 0
            imaginary[i] = i < sampleCount ? Double(responses[start + sampleCount + i]) : 0
        }
    }
}
