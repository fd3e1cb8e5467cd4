import Geometry
import Glibc
import Signal

// Changes of an interpolated field for the listener's head and the distance of the sources.
extension FieldPreparation {
    /// Length added to filtered responses, seconds: the time in which filters for nearer sources decay.
    private static let ringing = 0.0015
    /// Relative difference up to which distances count as equal.
    private static let sameDistance = 0.05

    /// Returns a field for the common distance of sources, and one for each of `options.sourceDistances`: responses
    /// `[shell][point][ear][tap]`, all as long as the longest, and arrivals `[shell][point][ear]`, samples. Appends the
    /// steps to the report.
    mutating func shells(
        of spread: (responses: [Float], onsets: [Float]), taps: Int, grid: RingGrid
    ) -> (responses: [Float], arrivals: [Float], taps: Int) {
        let head = options.headCircumference.map { listenerRadius($0) }
        if head == nil, !hasDelays {
            remarks.append(
                "the set has no interaural delays, and none are added; --head-circumference CM adds those of a sphere")
        }
        var made: [(responses: [Float], arrivals: [Float], taps: Int)] = []
        for distance in [options.distance] + options.sourceDistances.map(Optional.some) {
            made.append(shell(of: spread, taps: taps, head: head, distance: distance, grid: grid))
        }
        guard made.count > 1 else { return made[0] }
        let longest = made.map(\.taps).max() ?? taps
        var (responses, arrivals): ([Float], [Float]) = ([], [])
        responses.reserveCapacity(made.count * 2 * grid.count * longest)
        for one in made {
            for row in 0..<(2 * grid.count) {
                responses += one.responses[(row * one.taps)..<((row + 1) * one.taps)]
                responses += repeatElement(0, count: longest - one.taps)
            }
            arrivals += one.arrivals
        }
        return (responses, arrivals, longest)
    }

    /// Returns a field at the set's own rate for another head and another distance of sources. `head`: radius in
    /// metres, which determines the interaural delays; nil keeps the delays of the set. `distance`: metres; nil keeps
    /// the distance of the set. If both are nil, the field is unchanged. Responses may become longer. Runs in parallel;
    /// takes some tenths of a second.
    private mutating func shell(
        of spread: (responses: [Float], onsets: [Float]), taps: Int, head: Double?, distance: Double?, grid: RingGrid
    ) -> (responses: [Float], arrivals: [Float], taps: Int) {
        let rate = set.sampleRate
        let directions = grid.directions(in: Head.self)
        var arrivals = spread.onsets
        var count = 256
        while count < taps + Int(2 * FieldPreparation.ringing * rate) { count *= 2 }
        var filters: [IncidenceFilters] = []
        // A set without interaural delays is treated as that of a head without size.
        let own = hasDelays ? alignment.radius : FieldPreparation.point
        if let head {
            if hasDelays {
                scaleDelays(&arrivals, by: head / own, directions)
            } else {
                giveDelays(&arrivals, of: head, directions)
            }
            filters.append(.resizing(from: own, to: head, sampleRate: rate, count: count))
        }
        if let distance,
            let filter = nearer(distance, radius: head ?? (hasDelays ? own : RigidSphere.averageRadius), count: count)
        {
            filters.append(filter)
            for (point, direction) in directions.enumerated() {
                for ear in 0..<2 {
                    arrivals[2 * point + ear] += Float(filter.delay(direction.incidence(ear: ear)) * rate)
                }
            }
        }
        guard !filters.isEmpty else { return (spread.responses, arrivals, taps) }
        let longer = taps + 16 * Int((FieldPreparation.ringing * rate / 16).rounded(.up))
        let responses = FieldPreparation.filtered(
            spread.responses, from: taps, to: longer, by: filters, directions: directions, count: count)
        return (responses, arrivals, longer)
    }

    /// Whether the set has interaural delays.
    var hasDelays: Bool { alignment.radius >= HeadSize.smallest }
    /// Radius of a sphere whose delays and phases are negligible, metres.
    private static let point = 0.001

    /// Returns the radius for the listener's head, metres. `circumference`: centimetres.
    private mutating func listenerRadius(_ circumference: Double) -> Double {
        let new = HeadSize.radius(circumference: circumference)
        func millimetres(_ radius: Double) -> String { "\((radius * 10_000).rounded() / 10) mm" }
        guard hasDelays else {
            steps.append(
                "interaural delays: the set has none; those of a sphere of \(millimetres(new)) are used at all "
                    + "frequencies, for a head of \(circumference) cm")
            return new
        }
        steps.append(
            "interaural delays multiplied by \((new / alignment.radius * 1000).rounded() / 1000): a head of "
                + "\(circumference) cm has the delays of a sphere of \(millimetres(new)), the set has those of "
                + "\(millimetres(alignment.radius))")
        return new
    }

    /// Scales arrivals relative to the time at which sound passes the head's centre.
    private func scaleDelays(_ arrivals: inout [Float], by ratio: Double, _ directions: [Direction<Head>]) {
        var centre = 0.0
        for (point, direction) in directions.enumerated() {
            let model = alignment.model(direction)
            centre += Double(arrivals[2 * point]) - model.left * set.sampleRate
            centre += Double(arrivals[2 * point + 1]) - model.right * set.sampleRate
        }
        centre /= Double(arrivals.count)
        for i in arrivals.indices { arrivals[i] = Float(centre + ratio * (Double(arrivals[i]) - centre)) }
    }

    /// Adds the arrivals at a sphere's ears to the arrivals of a set without interaural delays.
    private func giveDelays(_ arrivals: inout [Float], of radius: Double, _ directions: [Direction<Head>]) {
        var sphere = alignment
        sphere.radius = radius
        for (point, direction) in directions.enumerated() {
            let arrival = sphere.model(direction)
            arrivals[2 * point] += Float(arrival.left * set.sampleRate)
            arrivals[2 * point + 1] += Float(arrival.right * set.sampleRate)
        }
    }

    /// Returns the filters that move sources to a distance in metres; nil if the set was measured at this distance
    /// within `sameDistance`.
    private mutating func nearer(_ distance: Double, radius: Double, count: Int) -> IncidenceFilters? {
        let measured = set.distance > 1.2 * radius ? set.distance : nil
        if let measured, abs(distance / measured - 1) <= FieldPreparation.sameDistance {
            steps.append("sources at \(distance) m: measured at this distance")
            return nil
        }
        let from =
            measured.map { "from the set's \(($0 * 100).rounded() / 100) m" }
            ?? "from infinity, because the set states no usable distance"
        steps.append(
            "sources at \(distance) m, \(from): by the sound field at a rigid sphere of "
                + "\((radius * 10_000).rounded() / 10) mm"
        )
        return .moving(
            RigidSphere(radius: radius), from: measured, to: distance, sampleRate: set.sampleRate, count: count)
    }

    /// Returns the responses of a grid's points after the filters, computed in spectra of `count` points.
    private static func filtered(
        _ responses: [Float], from taps: Int, to longer: Int, by filters: [IncidenceFilters],
        directions: [Direction<Head>], count: Int
    ) -> [Float] {
        var result = [Float](repeating: 0, count: directions.count * 2 * longer)
        let transform = FourierTransform(minimumCount: count)
        result.withUnsafeMutableBufferPointer { result in
            responses.withUnsafeBufferPointer { responses in
                let (result, responses) = (result, responses)
                inParallel(directions.count, chunk: max(1, directions.count / 64)) { range in
                    var real = [Double](repeating: 0, count: count)
                    var imaginary = real
                    var ears = EarSpectra(binCount: count / 2 + 1)
                    for point in range {
                        for i in 0..<count {
                            real[i] = i < taps ? Double(responses[2 * point * taps + i]) : 0
                            imaginary[i] = i < taps ? Double(responses[(2 * point + 1) * taps + i]) : 0
                        }
                        transform.forward(&real, &imaginary)
                        ears.separate(real, imaginary)
                        for ear in 0..<2 {
                            let angle = directions[point].incidence(ear: ear)
                            for filter in filters { filter.apply(to: &ears, ear: ear, angle: angle) }
                        }
                        ears.combine(&real, &imaginary)
                        transform.inverse(&real, &imaginary)
                        for i in 0..<longer {
                            let left = longer - 1 - i
                            let fade = left < 16 ? 0.5 * (1 - cos(.pi * (Double(left) + 0.5) / 16)) : 1
                            result[2 * point * longer + i] = Float(real[i] * fade)
                            result[(2 * point + 1) * longer + i] = Float(imaginary[i] * fade)
                        }
                    }
                }
            }
        }
        return result
    }
}
