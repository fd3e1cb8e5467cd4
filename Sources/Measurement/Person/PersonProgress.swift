import Sweeps

/// Progress of a measurement of a person or of headphones, computed from its events: the planned directions of the head
/// (looks) or fits of the headphones, the verdict on each, and the time left. A fit is a look whose yaw is its number.
/// Times are seconds of any monotonic clock.
package struct PersonProgress: Sendable, Equatable {
    /// Phases of a measurement.
    package enum Phase: String, Sendable {
        /// The person gets ready.
        case waiting
        /// The level is found by short sweeps.
        case level
        /// The person is asked for a look.
        case turning
        /// The sweeps of a take are played.
        case sweeping
        /// A take is judged, and a prompt plays its verdict.
        case judging
        /// The files are made from the takes.
        case computing
        /// The files are complete.
        case done
        /// The measurement ended before it was complete.
        case ended
    }

    /// Verdict of a look's takes.
    package enum Verdict: String, Sendable {
        /// No take has been judged, or the look is to be recorded anew.
        case open
        /// A good take is kept.
        case good
        /// The newest take is refused, and is repeated.
        case refused
        /// The person has left the look out.
        case skipped
    }

    /// A planned look.
    package struct Look: Sendable, Equatable {
        /// Planned yaw, degrees, positive to the left.
        package let yaw: Double
        /// Verdict of its takes.
        package internal(set) var verdict: Verdict
        /// Faults of the newest take, if it is refused.
        package internal(set) var faults: [TakeFault] = []
        /// Whether a good take is kept, also while another one is recorded.
        fileprivate var isHeld: Bool
    }

    /// A sound that is played.
    private struct Sound: Sendable, Equatable {
        let began: Double, seconds: Double
    }

    /// The planned looks, in their order.
    package private(set) var looks: [Look]
    /// The phase.
    package private(set) var phase = Phase.waiting
    /// Level of the sweeps, dBFS; nil before the first one.
    package private(set) var level: Double?
    /// Peaks at the ears, and margin over the noise, dB, of the newest sound; nil before the first one.
    package private(set) var peaks: EarPeaks?, margin: Double?
    /// Whether a tracker shows when the head has the planned yaw: takes then begin without a request.
    package let hasTracker: Bool

    /// Index of the look for which a take is recorded now.
    private var present: Int?
    /// Index of the look with the newest good take of this measurement.
    private var last: Int?
    private var sound: Sound?
    /// Duration of a take, seconds.
    private let takeSeconds: Double
    /// Time at which the person was last asked for a look.
    private var askedAt: Double?
    /// Time that the person took to get ready for all takes so far, seconds, and the number of these takes.
    private var pauseSeconds = 0.0, pauseCount = 0

    /// Assumed time that a person needs to get ready for a take, used before the first take; and time for judging a
    /// take and its prompt, seconds.
    private static let (usualPause, judging) = (6.0, 1.5)

    /// Creates the progress of a measurement at these yaws. `held` returns whether a look has a good take already.
    package init(
        looks: [Double], held: (Double) -> Bool = { _ in false }, takeSeconds: Double, hasTracker: Bool = false
    ) {
        self.looks = looks.map { yaw in
            let isHeld = held(yaw)
            return Look(yaw: yaw, verdict: isHeld ? .good : .open, isHeld: isHeld)
        }
        (self.takeSeconds, self.hasTracker) = (takeSeconds, hasTracker)
    }

    /// Applies an event that occurred at `time`.
    package mutating func take(_ event: PersonEvent, at time: Double) {
        switch event {
        case .tried(let level, let peaks, let margin):
            (self.level, self.peaks, self.margin, sound) = (level, peaks, margin, nil)
        case .level(let level): self.level = level
        case .resumed: break
        case .asked(let look):
            present = looks.firstIndex { $0.yaw == look }
            (phase, askedAt, sound) = (.turning, time, nil)
        case .sounding(let seconds):
            sound = Sound(began: time, seconds: seconds)
            guard phase == .turning else {
                phase = .level
                return
            }
            phase = .sweeping
            if let askedAt {
                pauseSeconds += time - askedAt
                pauseCount += 1
            }
        case .judged(let peaks, let margin):
            (phase, self.peaks, self.margin, sound) = (.judging, peaks, margin, nil)
        case .kept: settle(present, .good, [])
        case .refused(let faults): settle(present, .refused, faults)
        case .skipped(let look, _):
            let index = looks.firstIndex { $0.yaw == look }
            let isHeld = index.map { looks[$0].isHeld } ?? false
            settle(index, isHeld ? .good : .skipped, [])
        case .again(let look, _):
            let index = looks.firstIndex { $0.yaw == look }
            settle(index, .open, [])
        }
    }

    private mutating func settle(_ index: Int?, _ verdict: Verdict, _ faults: [TakeFault]) {
        guard let index else { return }
        (looks[index].verdict, looks[index].faults) = (verdict, faults)
        guard verdict == .good else { return }
        looks[index].isHeld = true
        if index == present { last = index }
    }

    /// Enters a phase that no event announces.
    package mutating func enter(_ phase: Phase) { (self.phase, sound) = (phase, nil) }
}

/// Possible requests, and values to show.
extension PersonProgress {
    /// Yaw of the look that the person is asked for, or for which a take is recorded, degrees; nil without one.
    package var wanted: Double? {
        switch phase {
        case .turning, .sweeping: present.map { looks[$0].yaw }
        case .waiting, .level, .judging, .computing, .done, .ended: nil
        }
    }

    /// Whether a take or the measurement waits for the request to begin.
    package var waitsForBegin: Bool { phase == .waiting || phase == .turning && !hasTracker }

    /// Yaw of the look that would be recorded anew, degrees: the present one, or between takes the last one; nil
    /// without one.
    package var repeatable: Double? {
        switch phase {
        case .sweeping, .judging: present.map { looks[$0].yaw }
        case .turning: last.map { looks[$0].yaw }
        case .waiting, .level, .computing, .done, .ended: nil
        }
    }

    /// Yaw of the look that would be left out, degrees; nil without one.
    package var skippable: Double? {
        switch phase {
        case .turning, .sweeping, .judging: present.map { looks[$0].yaw }
        case .waiting, .level, .computing, .done, .ended: nil
        }
    }

    /// Whether the measurement can be ended.
    package var isStoppable: Bool { phase != .done && phase != .ended }

    /// Share of the present sound that was played, 0…1; nil in silence.
    package func soundShare(at time: Double) -> Double? {
        sound.map { min(1, max(0, (time - $0.began) / max(1e-9, $0.seconds))) }
    }

    /// Share of the looks that are done, including the played share of the present take, 0…1.
    package func share(at time: Double) -> Double {
        guard !looks.isEmpty else { return 1 }
        let taken = phase == .sweeping ? soundShare(at: time) ?? 0 : 0
        return min(1, (Double(looks.count - openCount) + taken) / Double(looks.count))
    }

    /// Estimate of the time until the last take is judged, seconds, from the time that the person took to get ready for
    /// the takes so far.
    package func left(at time: Double) -> Double {
        let pause = pauseCount > 0 ? pauseSeconds / Double(pauseCount) : Self.usualPause
        let each = pause + takeSeconds + Self.judging
        let gone: Double =
            switch phase {
            case .turning: min(pause, askedAt.map { time - $0 } ?? 0)
            case .sweeping: pause + takeSeconds * (soundShare(at: time) ?? 0)
            case .waiting, .level, .judging, .computing, .done, .ended: 0
            }
        return max(0, Double(openCount) * each - gone)
    }

    /// Number of looks for which a take is still needed.
    private var openCount: Int { looks.count { $0.verdict == .open || $0.verdict == .refused } }
}
