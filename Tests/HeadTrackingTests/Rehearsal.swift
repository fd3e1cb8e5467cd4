import Geometry
import HeadTracking
import IMU
import SeededRandom

extension SplitMix {
    /// Returns a number of zero mean and unit variance: the sum of twelve uniform numbers.
    mutating func gaussian() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
    }

    /// Returns three numbers of unit variance, each a sum of four uniform numbers, which is quicker.
    mutating func gaussians() -> SIMD3<Double> {
        func one() -> Double {
            // Four numbers of 16 bits; their sum has variance 4/12.
            let bits = next()
            let sum =
                Double(bits & 0xffff) + Double(bits >> 16 & 0xffff) + Double(bits >> 32 & 0xffff) + Double(bits >> 48)
            return (sum / 65535 - 2) * 1.7320508
        }
        return SIMD3(one(), one(), one())
    }
}

let degree = Double.pi / 180

/// A tracker with a known true orientation, and with noise, jitter of arrivals, loss and silences.
struct RehearsedTracker {
    var rate = 100.0
    /// Noise per axis, degrees RMS.
    var noise = 0.1
    /// Largest delay of an arrival, seconds; delays are uniform from 0 on.
    var jitter = 0.0
    /// Share of samples that never arrive.
    var loss = 0.0
    /// Intervals without samples, seconds.
    var silences: [ClosedRange<Double>] = []
    /// Intervals that hold up all arrivals, seconds; the samples arrive at the interval's end.
    var holdUps: [ClosedRange<Double>] = []
    /// Offset of the sample times from the other tracker's, seconds.
    var phase = 0.0
    var orientation: (Double) -> Quaternion

    /// Returns the samples in the order of their arrival.
    func samples(for duration: Double, seed: UInt64) -> [OrientationSample] {
        var random = SplitMix(state: seed)
        var result: [OrientationSample] = []
        for index in 0..<Int(duration * rate) {
            let time = Double(index) / rate + phase
            let error = SIMD3(random.gaussian(), random.gaussian(), random.gaussian()) * (noise * degree)
            var arrival = time + Double.random(in: 0...1, using: &random) * jitter
            if let holdUp = holdUps.first(where: { $0.contains(arrival) }) {
                // One microsecond apart, so that the order stays.
                arrival = holdUp.upperBound + Double(index) * 1e-6
            }
            let lost = Double.random(in: 0...1, using: &random) < loss
            if lost || silences.contains(where: { $0.contains(time) }) { continue }
            let q = orientation(time) * Quaternion(rotationVector: error)
            result.append(OrientationSample(time: arrival, bodyToWorld: Rotation(q)))
        }
        // The times of measurement are estimated from the arrivals alone.
        var clock = StreamClock()
        return result.sorted { $0.time < $1.time }.map { sample in
            let time = clock.time(of: TrackerReading(.orientation(sample.bodyToWorld)), arrival: sample.arrival)
            return OrientationSample(time: time, bodyToWorld: sample.bodyToWorld, arrival: sample.arrival)
        }
    }
}

/// Head and device feed a tracker while an audio clock reads its forecasts, without sockets or sleeping.
struct Rehearsal {
    var tracker = HeadTracker()
    var head: RehearsedTracker
    var device: RehearsedTracker?
    var duration: Double
    /// Seconds from the present to the moment of hearing.
    var lead = 0.03
    /// Seconds between readings.
    var slice = 64.0 / 48000
    var events: [(time: Double, action: (inout HeadTracker) -> Void)] = []

    /// Returns the heard poses with the times at which they are heard.
    func run(seed: UInt64 = 1) -> [(time: Double, pose: Quaternion)] {
        var tracker = tracker
        tracker.options.playbackLead = lead
        let heads = head.samples(for: duration, seed: seed)
        let devices = device?.samples(for: duration, seed: seed &+ 1000) ?? []
        var (nextHead, nextDevice, nextEvent, nextTick) = (0, 0, 0, 0.0)
        var mailbox = PoseForecast.still(.identity)
        var heard: [(time: Double, pose: Quaternion)] = []
        for step in 0..<Int(duration / slice) {
            let now = Double(step) * slice
            while true {
                let a = nextHead < heads.count ? heads[nextHead].arrival : .infinity
                let b = nextDevice < devices.count ? devices[nextDevice].arrival : .infinity
                guard min(a, b) <= now else { break }
                if b <= a {
                    tracker.device(devices[nextDevice])
                    nextDevice += 1
                } else {
                    tracker.head(heads[nextHead])
                    nextHead += 1
                }
                mailbox = tracker.forecast(at: min(a, b))
            }
            if now >= nextTick {
                mailbox = tracker.forecast(at: now)
                nextTick += 0.05
            }
            while nextEvent < events.count, events[nextEvent].time <= now {
                events[nextEvent].action(&tracker)
                mailbox = tracker.forecast(at: now)
                nextEvent += 1
            }
            heard.append((now + lead, mailbox.headToStage(at: now + lead)))
        }
        return heard
    }
}

/// RMS, 95th percentile and maximum of magnitudes.
struct Spread: CustomStringConvertible {
    let rms: Double
    let p95: Double
    let max: Double

    init(_ values: [Double]) {
        let sorted = values.map { abs($0) }.sorted()
        rms = (values.reduce(0) { $0 + $1 * $1 } / Double(Swift.max(1, values.count))).squareRoot()
        p95 = sorted.isEmpty ? 0 : sorted[Int(0.95 * Double(sorted.count - 1))]
        max = sorted.last ?? 0
    }

    var description: String { "RMS \(rounded(rms))  p95 \(rounded(p95))  max \(rounded(max))" }
}

func rounded(_ x: Double) -> Double { (x * 10000).rounded() / 10000 }

/// Returns the yaw of `pose` minus the true yaw, degrees, −180…180.
func yawError(_ pose: Quaternion, _ truth: Double) -> Double {
    var error = pose.yaw / degree - truth
    error -= 360 * (error / 360).rounded()
    return error
}

/// Returns a minimum-jerk transition from 0 to 1, a model of how heads and vehicles turn.
func turn(_ time: Double, from start: Double, over duration: Double) -> Double {
    let u = max(0, min(1, (time - start) / duration))
    return u * u * u * (10 + u * (6 * u - 15))
}
