import Foundation
import Geometry
import HeadTracking
import IMU

/// Head tracking with recorded packets of one or two trackers, in stream time.
struct PacketRide {
    /// Frames over which the stage's filters fade from one pose to the next.
    private static let fade = 128
    /// Seconds between two regular forecasts, which are made in addition to those after packets, as in a session.
    private static let tick = 0.02
    /// Permitted times of all packets, of the recentring and of the stream's end, seconds of the stream.
    private static let times = -3600.0...3600

    private struct Arrival {
        let packet: PacketLog.Packet
        let isHead: Bool
    }

    private let rate: Double
    private let period: Int
    private let recentreAt: Double?
    private var head: TrackerReceiver?
    private var device: TrackerReceiver?
    private var arrivals: [Arrival] = []

    init(rate: Double, period: Int, recentreAt: Double?) {
        (self.rate, self.period, self.recentreAt) = (rate, period, recentreAt)
    }

    /// Adds a tracker, given as on the command line, and its packets.
    mutating func add(_ words: String, _ log: PacketLog, toHead isHead: Bool) throws(Failure) {
        let specification: TrackerSpecification
        do throws(TrackerError) { specification = try TrackerSpecification.parse(words) } catch { throw Failure(error) }
        switch specification.source {
        case .udp, .serial: break
        default: throw Failure(.usage, "'\(words)' sends no packets; name a tracker on UDP or a serial line")
        }
        let receiver = TrackerReceiver(
            specification.makeDecoder(), mounting: specification.mounting?.rotation ?? .identity,
            inversion: specification.inversion, latency: specification.latency,
            trustsSender: specification.trustsSender)
        if isHead { head = receiver } else { device = receiver }
        arrivals += log.packets.map { Arrival(packet: $0, isHead: isHead) }
    }

    /// Returns the poses of a stream, as CSV. The stage's filters fade to a pose during the `fade` frames before it.
    /// The forecast of a pose is made two periods before the sound of the period in which this fade begins, as in a
    /// session on a JACK server with two periods of latency.
    ///
    /// - Parameter seconds: duration, up to an hour.
    func poses(seconds: Double) throws(Failure) -> String {
        var ride = self
        for time in [seconds, recentreAt ?? 0] + arrivals.map(\.packet.arrival) where !Self.times.contains(time) {
            throw Failure(.input, "the time \(time) s is not between -3600 and 3600 s")
        }
        // The sort is stable: packets of one tracker with equal times stay in order.
        let arrivals = self.arrivals.enumerated().sorted {
            ($0.element.packet.arrival, $0.offset) < ($1.element.packet.arrival, $1.offset)
        }.map(\.element)
        var options = HeadTrackerOptions()
        let lead = 2 * Double(period) / rate
        options.playbackLead = lead
        var tracker = HeadTracker(options: options)
        var next = 0
        var nextTick = arrivals.first?.packet.arrival ?? 0
        var recentring = recentreAt
        /// Processes the packets, the recentring and the regular forecasts up to a time.
        func advance(to now: Double) throws(Failure) {
            while true {
                let arrival = next < arrivals.count ? arrivals[next].packet.arrival : .infinity
                let moment = min(arrival, nextTick, recentring ?? .infinity)
                guard moment <= now else { return }
                if moment == recentring {
                    guard tracker.recentre(.yaw, at: moment) else {
                        throw Failure(.input, "no packet of the head tracker could be decoded before \(moment) s")
                    }
                    recentring = nil
                } else if moment == arrival {
                    ride.take(arrivals[next], into: &tracker)
                    next += 1
                } else {
                    _ = tracker.forecast(at: moment)
                    nextTick += Self.tick
                }
            }
        }
        var text = "t,w,x,y,z\n"
        let last = Int((seconds * rate).rounded(.up))
        var forecast = PoseForecast.still(.identity)
        var known = -1
        for frame in stride(from: 0, through: last + Self.fade, by: Self.fade) {
            let begins = max(0, frame - Self.fade) / period * period
            let heard = Double(frame) / rate
            if begins > known {
                known = begins
                let now = Double(begins) / rate - lead
                try advance(to: now)
                forecast = tracker.forecast(at: now)
            }
            let q = forecast.headToStage(at: heard)
            text += String(format: "%.9f,%.9f,%.9f,%.9f,%.9f\n", heard, q.w, q.x, q.y, q.z)
        }
        return text
    }

    private mutating func take(_ arrival: Arrival, into tracker: inout HeadTracker) {
        let packet = arrival.packet
        let samples =
            arrival.isHead
            ? head?.take(packet.bytes, arrival: packet.arrival).samples
            : device?.take(packet.bytes, arrival: packet.arrival).samples
        for sample in samples ?? [] {
            if arrival.isHead { tracker.head(sample) } else { tracker.device(sample) }
            // A session makes a forecast after each sample too.
            _ = tracker.forecast(at: sample.arrival)
        }
    }
}
