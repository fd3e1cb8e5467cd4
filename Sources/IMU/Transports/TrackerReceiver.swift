import Geometry

/// One tracker's bytes become samples on the host's clock, in the axes of what it is fastened to.
///
/// Decoder → clock → mounting, inversion, stated latency. A pure value: time comes in with every call. Cost: the
/// decoder's, and less than a microsecond.
package struct TrackerReceiver: Sendable {
    /// What came and what was dropped.
    package private(set) var health = TrackerHealth()
    /// How the tracker sits: its own axes to those of the head or device it is fastened to.
    package var mounting: Rotation<Tracker, Body>
    /// Whether samples in the tracker's own axes, neither turned nor turned round,
    /// are kept in `own` until they are fetched.
    package var keepsOwn = false { didSet { own = [] } }
    private var own: [TrackerSample] = []
    private var decoder: any TrackerDecoder
    /// As it was before it had read anything.
    private let fresh: any TrackerDecoder
    private var clock = StreamClock()
    private var senders = SenderChoice()
    private var output = DecoderOutput()
    private let inversion: Inversion
    private let latency: Double
    private let trustsSender: Bool
    private let format: String?

    /// A receiver that has heard nothing.
    ///
    /// - Parameters:
    ///   - mounting: the tracker's own axes to those of what it is fastened to.
    ///   - inversion: angles whose sign is turned round, after the mounting.
    ///   - latency: seconds by which samples are older than the clock can tell.
    ///   - format: the name of the decoder's format; `nil` where it recognises it.
    ///   - trustsSender: false: times are those of arrival, whatever the sender's stamps say.
    package init(
        _ decoder: any TrackerDecoder, mounting: Rotation<Tracker, Body> = .identity, inversion: Inversion = [],
        latency: Double = 0, trustsSender: Bool = true, format: String? = nil
    ) {
        self.decoder = decoder
        fresh = decoder
        self.mounting = mounting
        self.inversion = inversion
        self.latency = latency
        self.trustsSender = trustsSender
        self.format = format
        health.format = format
    }

    /// What the tracker is to be told when the way to it is open, and again when it is silent.
    package var opening: [[UInt8]] { decoder.opening }

    /// Takes bytes that arrived at a time of the host's monotonic clock, in order. `sender`: where they came from,
    /// where more than one can; see `SenderChoice`. With a new one decoder and clock begin anew.
    ///
    /// - Returns: the samples in them, and what the tracker wants answered.
    package mutating func take(
        _ bytes: [UInt8], arrival: Double, sender: DatagramSender? = nil
    ) -> (samples: [TrackerSample], replies: [[UInt8]]) {
        if let sender {
            switch senders.admit(sender, at: arrival) {
            case .goesOn: break
            case .begins: begin()
            case .ignored:
                health.ignore(sender, at: arrival)
                return ([], [])
            }
            health.sender = sender
        }
        output.readings.removeAll(keepingCapacity: true)
        output.refusals.removeAll(keepingCapacity: true)
        output.faults.removeAll(keepingCapacity: true)
        output.replies.removeAll(keepingCapacity: true)
        decoder.decode(bytes, into: &output)
        for fault in output.faults { health.count(fault) }
        if let told = output.identity { health.identity = told }
        var refusals = output.refusals[...]
        let samples = output.readings.enumerated().map { index, reading in
            while refusals.first?.index == index { skip(refusals.removeFirst(), arrival) }
            return take(reading, arrival: arrival)
        }
        for refusal in refusals { skip(refusal, arrival) }
        if !samples.isEmpty { senders.heard(at: arrival) }
        health.timing = clock.timing
        health.format = decoder.recognised ?? format
        return (samples, output.replies)
    }

    /// Takes a recorded reading at the time at which it is played: nothing is estimated.
    package mutating func take(played reading: TrackerReading, at time: Double) -> TrackerSample {
        health.countArrival(at: time)
        return sample(of: reading.motion, at: time - latency, arrival: time)
    }

    /// Notes what happened to the way.
    package mutating func note(_ event: TransportEvent) {
        switch event {
        case .opened(let place, let found):
            if let found { decoder = found }
            if case .lost = health.connection { health.returns += 1 }
            health.connection = .open
            if health.identity == nil { health.identity = place }
        case .lost(let reason):
            health.connection = .lost(reason)
            begin()
        case .shed(let count): health.shed += count
        case .bytes, .played: break
        }
    }

    /// Notes that the way was closed.
    package mutating func close() { health.connection = .closed }

    /// Another tracker may speak next, and this one's clock, handshake and rule of checksums begin anew.
    private mutating func begin() {
        decoder = fresh
        clock = StreamClock()
    }

    /// Lets the time of a refused measurement go by.
    private mutating func skip(_ refusal: RefusedMeasurement, _ arrival: Double) {
        clock.skip(stamp: refusal.stamp, sequence: refusal.sequence, arrival: arrival)
    }

    private mutating func take(_ reading: TrackerReading, arrival: Double) -> TrackerSample {
        health.countArrival(at: arrival)
        let measured = clock.time(of: reading, arrival: arrival)
        let time = (trustsSender ? measured : arrival) - latency
        return sample(of: reading.motion, at: time, arrival: arrival)
    }

    private mutating func sample(of motion: TrackerMotion, at time: Double, arrival: Double) -> TrackerSample {
        if keepsOwn { own.append(TrackerSample(time: time, motion, arrival: arrival)) }
        return TrackerSample(time: time, fastened(motion), arrival: arrival)
    }

    /// The samples of the last bytes in the tracker's own axes, where they are kept; each once.
    package mutating func takeOwn() -> [TrackerSample] {
        guard !own.isEmpty else { return [] }
        defer { own = [] }
        return own
    }

    /// What a tracker said of itself, said of what it is fastened to.
    private func fastened(_ motion: TrackerMotion) -> TrackerMotion {
        guard mounting != .identity || !inversion.isEmpty else { return motion }
        switch motion {
        case .orientation(let trackerToWorld, let rate):
            let turned = trackerToWorld.quaternion * mounting.quaternion.conjugate
            return .orientation(
                inversion.applied(to: Rotation(turned)), rate: rate.map { inversion.applied(toRate: turn($0)) })
        case .inertial(let sample):
            return .inertial(
                inversion.applied(
                    to: InertialSample(
                        rate: turn(sample.rate), force: turn(sample.force), field: sample.field.map(turn))))
        case .recentre, .discontinuity: return motion
        }
    }

    private func turn(_ vector: SIMD3<Double>) -> SIMD3<Double> { mounting.quaternion.rotate(vector) }
}
