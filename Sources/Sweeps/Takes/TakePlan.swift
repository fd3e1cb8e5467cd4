import Glibc
import Signal

/// What is played for a take (one recording at the ears), and when: sweeps of one or more loudspeakers, and a pilot,
/// which is a short sweep, before and after them.
///
/// Starts are counted in frames of the playing device from the first frame of the take. The silence before the first
/// sound shows the noise of the place.
package struct TakePlan: Sendable {
    /// One loudspeaker's sweep.
    package struct Part: Hashable, Sendable, Codable {
        /// Name of the loudspeaker, as in a layout: "FL".
        package var loudspeaker: String
        /// Frame at which its sweep begins.
        package var start: Int

        /// Makes a part.
        package init(loudspeaker: String, start: Int) { (self.loudspeaker, self.start) = (loudspeaker, start) }
    }

    /// The sweep that each loudspeaker plays.
    package let sweep: ExponentialSweep
    /// Sweeps in the order of their start, at least one.
    package let parts: [Part]
    /// First frames of two equal pilots, both played by the first loudspeaker; nil without them.
    package let pilots: (first: Int, last: Int)?
    /// Length of the take, frames.
    package let frames: Int
    /// Time that a response may last, seconds.
    package let response: Double

    /// Least length of a silence, seconds. The silence before the first pilot has this length.
    static let pause = 0.6

    /// Makes a plan for recordings of another program: the starts of the sweeps are given, and there are no pilots.
    package init(sweep: ExponentialSweep, parts: [Part], response: Double, frames: Int) {
        precondition(!parts.isEmpty)
        (self.sweep, self.parts, self.response, self.frames, pilots) = (sweep, parts, response, frames, nil)
    }

    /// Makes the plan of a take: silence, pilot, silence, sweeps, silence, pilot, silence. The silences after a sound
    /// last as long as a response, and at least `pause`.
    ///
    /// - Parameters:
    ///   - response: time that a response may last, seconds.
    ///   - spacing: time from the start of a sweep to the start of the next, seconds; see `SweepSpacing`.
    package init(sweep: ExponentialSweep, loudspeakers: [String], response: Double, spacing: Double) {
        precondition(!loudspeakers.isEmpty)
        let rate = sweep.sampleRate
        func frames(_ seconds: Double) -> Int { Int((seconds * rate).rounded()) }
        let pilot = Pilot(sampleRate: rate).samples.count
        let quiet = max(TakePlan.pause, response)
        let first = frames(TakePlan.pause)
        let start = first + pilot + frames(quiet)
        parts = loudspeakers.enumerated().map { place, name in
            Part(loudspeaker: name, start: start + place * frames(spacing))
        }
        let end = (parts.last?.start ?? start) + sweep.samples.count
        let last = end + frames(quiet)
        self.sweep = sweep
        self.response = response
        pilots = (first, last)
        self.frames = last + pilot + frames(quiet)
    }

    /// Makes the plan for headphones that are put on once: the drivers' sweeps one after the other, without pilots. A
    /// silence precedes the first sweep and follows each one. It lasts as long as a response, and at least `pause`.
    package init(sweep: ExponentialSweep, drivers: [String], response: Double) {
        precondition(!drivers.isEmpty)
        let rate = sweep.sampleRate
        let quiet = Int((max(TakePlan.pause, response) * rate).rounded())
        let step = sweep.samples.count + quiet
        let parts = drivers.enumerated().map { Part(loudspeaker: $1, start: quiet + $0 * step) }
        self.init(sweep: sweep, parts: parts, response: response, frames: quiet + drivers.count * step)
    }

    /// Returns the signal of each loudspeaker, `[part][frame]`, scaled by `gain`.
    package func signals(gain: Double = 1) -> [[Float]] {
        parts.enumerated().map { place, part in
            var row = [Float](repeating: 0, count: frames)
            for (i, sample) in sweep.samples.enumerated() where part.start + i < frames {
                row[part.start + i] = Float(gain) * sample
            }
            guard place == 0, let pilots else { return row }
            let peak = Float(gain) * sweep.samples.reduce(0) { max($0, abs($1)) }
            for (i, sample) in Pilot(sampleRate: sweep.sampleRate).samples.enumerated() {
                for start in [pilots.first, pilots.last] where start + i < frames { row[start + i] += peak * sample }
            }
            return row
        }
    }
}

/// A short sweep that is played at the start and at the end of a take. The time between the two arrivals shows how fast
/// the recording clock runs relative to the playing clock, whether frames were lost, and whether the head has moved.
struct Pilot {
    /// Frequencies, hertz, and duration, seconds.
    static let band = (low: 300.0, high: 12_000.0), seconds = 0.25

    /// Samples, ±1 at most.
    let samples: [Float]

    /// Makes the pilot at a sample rate in hertz.
    init(sampleRate: Double) {
        let high = min(Pilot.band.high, 0.45 * sampleRate)
        let span = log(high / Pilot.band.low)
        let count = Int((Pilot.seconds * sampleRate).rounded())
        let constant = Pilot.seconds / span
        let edge = 0.02 * sampleRate
        samples = (0..<count).map { i in
            let phase = 2 * .pi * Pilot.band.low * constant * (exp(Double(i) / sampleRate / constant) - 1)
            let level = RaisedCosine.value(Double(i) / edge) * RaisedCosine.value(Double(count - 1 - i) / edge)
            return Float(level * sin(phase))
        }
    }
}
