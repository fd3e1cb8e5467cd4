import Geometry

/// Converts one tracker's bytes to samples on the host's clock, in the axes of the head, or of the device that carries
/// the tracker.
///
/// The steps are decoder, clock, mounting, inversion, stated latency. A pure value: the time is a parameter of every
/// call. The cost is that of the decoder plus less than a microsecond.
package struct TrackerReceiver: Sendable {
    /// Counts of samples received and dropped.
    package private(set) var health = TrackerHealth()
    /// Number of times that a tracker with another connection or address has replaced the former one.
    package private(set) var replacements = 0
    /// Mounting of the tracker: rotation from its own axes to those of the head or device.
    package var mounting: Rotation<Tracker, Body>
    /// Whether samples in the tracker's own axes, before mounting and inversion, are stored until `takeOwn`.
    package var keepsOwn = false { didSet { own = [] } }
    private var own: [TrackerSample] = []
    private var decoder: any TrackerDecoder
    /// The decoder in its initial state.
    private let fresh: any TrackerDecoder
    private var clock = StreamClock()
    private var range = GyroscopeRange()
    private var senders = SenderChoice()
    private var output = DecoderOutput()
    private let inversion: Inversion
    private let latency: Double
    private let trustsSender: Bool
    private let format: String?
    /// Lasting name of the connection of the present tracker; `nil` if there is none.
    private var place: String?
    /// Sender before the present one, and the name of that sender's tracker, which is restored if the sender returns.
    private var former: (sender: DatagramSender, identity: String?)?

    /// Creates a receiver without input.
    ///
    /// - Parameters:
    /// - mounting: rotation from the tracker's own axes to those of the head or device.
    /// - inversion: angles whose sign is inverted, after the mounting.
    /// - latency: constant delay of the samples that the clock cannot measure, seconds.
    /// - format: name of the decoder's format; `nil` if the format is recognised from the data.
    /// - trustsSender: if false, the time of a sample is its arrival, and the sender's stamps are not used.
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

    /// Messages to the tracker when the transport opens, sent again during a silence.
    package var opening: [[UInt8]] { decoder.opening }

    /// Decodes bytes that arrived at a time of the host's monotonic clock, in order. `sender`: the sender of the bytes,
    /// if several senders are possible; see `SenderChoice`. A new sender restarts decoder and clock.
    ///
    /// - Returns: the samples in the bytes, and the replies to the tracker.
    package mutating func take(
        _ bytes: [UInt8], arrival: Double, sender: DatagramSender? = nil
    ) -> (samples: [TrackerSample], replies: [[UInt8]]) {
        if let sender {
            switch senders.admit(sender, at: arrival) {
            case .goesOn: break
            case .begins:
                follow(sender)
                begin()
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
        output.identity = nil
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

    /// Converts a recorded reading at the time at which it is played. This time is exact.
    package mutating func take(played reading: TrackerReading, at time: Double) -> TrackerSample {
        health.countArrival(at: time)
        return sample(of: reading.motion, at: time - latency, arrival: time)
    }

    /// Records an event of the transport.
    package mutating func note(_ event: TransportEvent) {
        switch event {
        case .opened(let place, let found):
            if let found { decoder = found }
            if case .lost = health.connection { health.returns += 1 }
            health.connection = .open
            if let place { follow(place) }
        case .lost(let reason):
            health.connection = .lost(reason)
            begin()
        case .shed(let count): health.shed += count
        case .bytes, .played: break
        }
    }

    /// Names the tracker by its connection if it has no name, or if a tracker with another name was plugged in. The
    /// system may give one device another path each time, so a different path does not mean another tracker.
    private mutating func follow(_ place: String) {
        let isOther = self.place != nil && self.place != place && !place.hasPrefix("/")
        if isOther { replacements += 1 }
        if health.identity == nil || isOther { health.identity = place }
        if self.place == nil || isOther { self.place = place }
    }

    /// Drops the name of the former sender if a tracker at another address takes its place.
    private mutating func follow(_ sender: DatagramSender) {
        health.forgetOtherSender()
        guard let last = health.sender, !sender.hasAddress(of: last) else { return }
        let known = former.flatMap { $0.sender.hasAddress(of: sender) ? $0.identity : nil }
        replacements += 1
        former = (last, health.identity)
        health.identity = known
    }

    /// Records that the transport was closed.
    package mutating func close() { health.connection = .closed }

    /// Restarts decoder and clock, because the next bytes may come from another tracker with its own handshake and
    /// checksums.
    private mutating func begin() {
        decoder = fresh
        clock = StreamClock()
        range = GyroscopeRange()
    }

    /// Counts a refused measurement in the clock.
    private mutating func skip(_ refusal: RefusedMeasurement, _ arrival: Double) {
        clock.skip(stamp: refusal.stamp, sequence: refusal.sequence, arrival: arrival)
    }

    private mutating func take(_ reading: TrackerReading, arrival: Double) -> TrackerSample {
        health.countArrival(at: arrival)
        let measured = clock.time(of: reading, arrival: arrival)
        let time = (trustsSender ? measured : arrival) - latency
        return sample(of: reading.motion, at: time, arrival: arrival)
    }

    private mutating func sample(of told: TrackerMotion, at time: Double, arrival: Double) -> TrackerSample {
        var motion = told
        if case .inertial(var sample) = told {
            sample.clipping = range.take(sample.rate, at: time)
            motion = .inertial(sample)
            if sample.clipping != nil { health.clip(at: range, arrival: arrival) }
        }
        if keepsOwn { own.append(TrackerSample(time: time, motion, arrival: arrival)) }
        return TrackerSample(time: time, fastened(motion), arrival: arrival)
    }

    /// Returns and clears the stored samples in the tracker's own axes.
    package mutating func takeOwn() -> [TrackerSample] {
        guard !own.isEmpty else { return [] }
        defer { own = [] }
        return own
    }

    /// Converts a motion from the tracker's axes to those of the head or device.
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
                        rate: turn(sample.rate), force: turn(sample.force), field: sample.field.map(turn),
                        clipping: sample.clipping?.turned(by: turn))))
        case .recentre, .discontinuity: return motion
        }
    }

    private func turn(_ vector: SIMD3<Double>) -> SIMD3<Double> { mounting.quaternion.rotate(vector) }
}
