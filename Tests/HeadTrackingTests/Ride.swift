import Geometry
import HeadTracking
import IMU
import SeededRandom

/// Samples of both trackers in the order of their arrival, read by an audio clock.
struct Ride {
    var tracker = HeadTracker()
    /// Seconds from the present to the moment of hearing.
    var lead = 0.03
    /// Seconds between readings.
    var slice = 64.0 / 48000
    var samples: [(isHead: Bool, sample: TrackerSample)] = []
    var events: [(time: Double, action: (inout HeadTracker) -> Void)] = []

    /// Adds an IMU's measurements at its rate, except during `silences`.
    mutating func add(
        isHead: Bool, _ imu: SimulatedIMU, from start: Double = 0, to end: Double, seed: UInt64, phase: Double = 0,
        silences: [ClosedRange<Double>] = [], bodyToWorld: (Double) -> Quaternion
    ) {
        var random = SplitMix(state: seed)
        for index in 0..<Int((end - start) * imu.rate) {
            let time = start + phase + Double(index) / imu.rate
            let measured = imu.sample(at: time, &random, bodyToWorld: bodyToWorld)
            if silences.contains(where: { $0.contains(time) }) { continue }
            samples.append((isHead, TrackerSample(time: time, .inertial(measured), arrival: time + 0.002)))
        }
    }

    /// Adds fused orientations with white noise, degrees per axis.
    mutating func addOrientations(
        isHead: Bool, noise: Double = 0.1, rate: Double = 100, from start: Double = 0, to end: Double, seed: UInt64,
        silences: [ClosedRange<Double>] = [], bodyToWorld: (Double) -> Quaternion
    ) {
        var random = SplitMix(state: seed)
        for index in 0..<Int((end - start) * rate) {
            let time = start + Double(index) / rate
            let pose = bodyToWorld(time) * Quaternion(rotationVector: random.gaussians() * (noise * degree))
            if silences.contains(where: { $0.contains(time) }) { continue }
            samples.append((isHead, TrackerSample(time: time, .orientation(Rotation(pose)), arrival: time + 0.002)))
        }
    }

    /// Returns the poses heard until `end`, with the times at which they are heard.
    mutating func run(to end: Double) -> [(time: Double, pose: Quaternion)] {
        tracker.options.playbackLead = lead
        let samples = samples.sorted { $0.sample.arrival < $1.sample.arrival }
        var (next, nextEvent, nextTick) = (0, 0, 0.0)
        var mailbox = tracker.forecast(at: 0)
        var heard: [(time: Double, pose: Quaternion)] = []
        for step in 0..<Int(end / slice) {
            let now = Double(step) * slice
            while next < samples.count, samples[next].sample.arrival <= now {
                let sample = samples[next]
                if sample.isHead { tracker.head(sample.sample) } else { tracker.device(sample.sample) }
                mailbox = tracker.forecast(at: sample.sample.arrival)
                next += 1
            }
            while nextEvent < events.count, events[nextEvent].time <= now {
                events[nextEvent].action(&tracker)
                mailbox = tracker.forecast(at: now)
                nextEvent += 1
            }
            if now >= nextTick {
                mailbox = tracker.forecast(at: now)
                nextTick += 0.02
            }
            heard.append((now + lead, mailbox.headToStage(at: now + lead)))
        }
        return heard
    }

    /// Returns the largest turn from one slice to the next, degrees.
    static func largestStep(_ heard: [(time: Double, pose: Quaternion)], after time: Double = 0) -> Double {
        zip(heard, heard.dropFirst()).filter { $0.0.time >= time }.map { $0.pose.angle(to: $1.pose) / degree }.max()
            ?? 0
    }
}
