import AudioIO
import Foundation
import Geometry
import SOFA
import Signal
import Soundstage
import Sweeps

/// Measures by sweeps: a room and a person's ears with several directions of the head (looks; `measure me`), or
/// headphones that the person puts on several times (fits; `measure headphones`). It finds the level, records and
/// judges a take for each look, and repeats takes with faults. Takes are kept in a folder; the responses are made from
/// them later.
package struct PersonMeasurement: Sendable {
    /// The client that plays and records.
    package var exchange: any SweepExchange
    /// Sweeps. Their level is not used.
    package var sweeps: PlayedSweeps
    /// Folder in which takes are kept.
    package var folder: MeasurementFolder
    /// Planned yaws of the head, degrees, positive to the left; for headphones the numbers of the fits.
    package var looks: [Double]
    /// Highest level, dBFS.
    package var mostLevel: Double
    /// How often a refused take is repeated before the measurement ends.
    package var tries: Int
    /// Paths of the microphones' calibrations: none, one for both, or the left and the right.
    package var calibrations: [String]
    /// Requests of the person.
    package var requests: PersonRequests

    /// Waits until the head has the planned yaw, degrees, or the headphones have been put on again. Returns the actual
    /// yaw, or the number of the fit. Nil if a request ended the wait (`PersonRequests.ends`), or if the measurement is
    /// to end.
    package typealias Ready = @Sendable (_ yaw: Double) async throws -> Double?

    /// Sets all fields.
    package init(
        exchange: any SweepExchange, sweeps: PlayedSweeps, folder: MeasurementFolder, looks: [Double],
        mostLevel: Double = -12, tries: Int = 5, calibrations: [String] = [],
        requests: PersonRequests = PersonRequests()
    ) {
        (self.exchange, self.sweeps, self.folder) = (exchange, sweeps, folder)
        (self.looks, self.mostLevel, self.tries, self.calibrations) = (looks, mostLevel, tries, calibrations)
        self.requests = requests
    }

    /// Measures until each look has a good take, or is left out. Returns the paths of all good takes.
    ///
    /// - Parameters:
    ///   - ready: waits for a look or a fit.
    ///   - look: the tracker's orientation now; nil without a tracker.
    ///   - goesOn: returns false to end the measurement; called often.
    ///   - tell: receives progress.
    /// - Throws: `ResponseError`: `cancelled` if `goesOn`, `ready` or a request ends the measurement; `JACKError` if
    ///   the server is gone; and the errors of `ready`. Good takes are kept.
    package func run(
        ready: Ready, look: @Sendable () -> HeadLooks.Look?, goesOn: @Sendable () -> Bool,
        tell: @Sendable (PersonEvent) -> Void
    ) async throws -> [String] {
        let microphones = try TakeReading.microphones(calibrations)
        var sweeps = sweeps
        if let former = try folder.open(for: sweeps) {
            guard former.level <= mostLevel else {
                throw ResponseError.input(
                    String(
                        format:
                            "%@ plays at %.0f dBFS, above the highest permitted level, %.0f dBFS; permit more, or name "
                            + "another folder", folder.sweeps, former.level, mostLevel))
            }
            sweeps = former
            tell(.resumed(done: looks.count(where: folder.holds), of: looks.count, folder.kind))
        } else {
            sweeps = sweeps.at(level: try await level(goesOn: goesOn, tell: tell))
            try folder.write(sweeps)
        }
        tell(.level(sweeps.level))
        let plan: TakePlan
        do throws(SweepError) { plan = try sweeps.plan() } catch { throw ResponseError.input(error.description) }
        var levels =
            sweeps.isOfHeadphones ? [:] : earLevels(plan, sweeps.judge, microphones, goesOn: goesOn)
        var order = LookOrder(looks.filter { !folder.holds($0) })
        // Number of refused takes of the present look in succession.
        var refusals = 0
        while let planned = order.present {
            tell(.asked(look: planned))
            guard let yaw = try await ready(planned),
                let recorded = try await take(plan, of: planned, look: look, goesOn: goesOn, tell: tell)
            else {
                try follow(&order, tell: tell)
                refusals = 0
                continue
            }
            var judgement = try judged(recorded, plan, number: yaw, microphones)
            let others = levels.filter { $0.key != planned }.map(\.value.decibels)
            if judgement.faults.isEmpty, let level = judgement.earLevel,
                let fault = EarLevels.fault(level, others: others)
            {
                judgement.faults.append(fault)
            }
            tell(.judged(peaks: EarPeaks(recorded.take), margin: judgement.margin))
            guard judgement.faults.isEmpty else {
                tell(.refused(judgement.faults))
                try await play(.refused, plan, goesOn: goesOn)
                refusals += 1
                guard refusals <= tries else {
                    throw ResponseError.refused(
                        [(take: sweeps.judge.name(ofTake: planned), faults: judgement.faults)],
                        remedy: "good takes are kept in \(folder.path); the same command line continues with the rest")
                }
                continue
            }
            let former = try order.isAgain ? folder.setAside(planned) : []
            let path: String
            do throws(ResponseError) {
                path = try folder.write(recorded.take, yaw: yaw, sampleRate: exchange.sampleRate)
            } catch {
                // The former take is kept.
                for file in former { rename(file.to, file.from) }
                throw error
            }
            order.keep()
            levels[planned] = judgement.earLevel
            refusals = 0
            tell(.kept(path: path, done: looks.count(where: folder.holds), of: looks.count))
            try await play(.kept, plan, goesOn: goesOn)
            // No wait follows the last take. So a request to record a look anew is followed here.
            if order.present == nil, case .again? = requests.waiting { try follow(&order, tell: tell) }
        }
        return folder.takes.map(\.path)
    }

    /// Largest number of former takes whose level between the ears is found: each takes as long as its judgement.
    private static let compared = 5

    /// Returns the level between the ears of good takes that the folder contains, by their yaw: those nearest to the
    /// front. A file that cannot be read is left out; an error names it when the responses are made.
    private func earLevels(
        _ plan: TakePlan, _ judge: any TakeJudge, _ microphones: [MicrophoneCalibration?],
        goesOn: @Sendable () -> Bool
    ) -> [Double: EarLevels.Level] {
        var levels: [Double: EarLevels.Level] = [:]
        for (path, yaw) in folder.takes.sorted(by: { abs($0.yaw) < abs($1.yaw) }).prefix(Self.compared) where goesOn() {
            guard let recorded = try? TakeReading.take(path, rate: plan.sweep.sampleRate) else { continue }
            let take = ExchangedTake(left: recorded.left, right: recorded.right)
            let judgement = try? judge.judge(take, plan, number: yaw, looks: nil, microphones)
            if let judgement, judgement.faults.isEmpty { levels[yaw] = judgement.earLevel }
        }
        return levels
    }

    /// Follows the request that ended the wait for a look, or the take of a look.
    ///
    /// - Throws: `cancelled` for the request to stop, and if there is no request.
    private func follow(_ order: inout LookOrder, tell: (PersonEvent) -> Void) throws(ResponseError) {
        switch requests.take() {
        case .again(let look)?:
            if order.again(look) { tell(.again(look: look, name: sweeps.judge.name(ofTake: look))) }
        case .skip(let look)?:
            guard look == order.present else { return }
            order.skip()
            tell(.skipped(look: look, name: sweeps.judge.name(ofTake: look)))
        case .begin?: return
        case .stop?, nil: throw .cancelled
        }
    }

    /// A recording and the tracker's orientations before, during and after it.
    struct Recorded: Sendable {
        var take: ExchangedTake
        var looks: HeadLooks?
    }

    /// Plays the sweeps of a plan, and records them; `planned`: the look, nil in the search for the level. Returns nil
    /// if a request of the person, or `goesOn`, has ended the take.
    func take(
        _ plan: TakePlan, of planned: Double?, look: () -> HeadLooks.Look?, goesOn: () -> Bool,
        tell: (PersonEvent) -> Void
    ) async throws -> Recorded? {
        // A second request to begin this take must not begin the next one.
        _ = requests.takesBegin()
        tell(.sounding(seconds: exchange.sampleRate.seconds(frames: plan.frames)))
        let silence = [Float](repeating: 0, count: plan.frames)
        let sounding = Dictionary(uniqueKeysWithValues: zip(plan.parts.map(\.loudspeaker), plan.signals()))
        let signals = exchange.loudspeakers.map { sounding[$0] ?? silence }
        var looks: [HeadLooks.Look] = []
        func note() { if let look = look() { looks.append(look) } }
        note()
        let found = try await exchange.exchange(signals) {
            note()
            return goesOn() && !(planned.map { requests.ends($0) } ?? requests.isStop)
        }
        note()
        guard let found else { return nil }
        return Recorded(take: found, looks: looks.isEmpty ? nil : HeadLooks(looks))
    }

    /// Plays a prompt on the loudspeaker of the first sweep.
    private func play(_ tone: PromptTone, _ plan: TakePlan, goesOn: () -> Bool) async throws {
        let amplitude = Double(plan.sweep.samples.reduce(0) { max($0, abs($1)) })
        let samples = tone.samples(amplitude: amplitude, sampleRate: exchange.sampleRate.hertz)
        let silence = [Float](repeating: 0, count: samples.count)
        let first = plan.parts[0].loudspeaker
        let signals = exchange.loudspeakers.map { $0 == first ? samples : silence }
        let isWhole = try await exchange.exchange(signals) { goesOn() && !requests.isStop } != nil
        guard isWhole else { throw ResponseError.cancelled }
    }

    /// Judges a take. `number` is its yaw or the number of its fit; nil in the search for the level.
    private func judged(
        _ recorded: Recorded, _ plan: TakePlan, number: Double?, _ microphones: [MicrophoneCalibration?] = [nil, nil]
    ) throws(ResponseError) -> TakeJudgement {
        do throws(SweepError) {
            return try sweeps.judge.judge(recorded.take, plan, number: number, looks: recorded.looks, microphones)
        } catch { throw .input(error.description) }
    }
}

/// The search for the level.
extension PersonMeasurement {
    /// Step of the level, dB.
    private static let step = 6.0
    /// Margin over the noise that is sought, median of the octaves from 250 Hz to 8 kHz, dB.
    private static let margin = 50.0
    /// The level is not raised if the peak at the ears would then exceed this, dBFS.
    private static let headroom = -9.0
    /// Duration of a sweep of the search, and of a response, seconds.
    private static let (seconds, decay) = (1.0, 0.3)

    /// Raises the level until the sweeps are 50 dB above the noise, one more step could exceed −9 dBFS at the ears, or
    /// `mostLevel` is reached. If a level clips, the level one step below it is used. The sweeps are short. The first
    /// level is −40 dBFS, for headphones −60 dBFS, but at most `mostLevel`. Returns the level, dBFS.
    ///
    /// - Throws: `refused` if a fault that depends on the level remains (`TakeJudge.faultsOfLevel`), if a level clips
    ///   that is less than one step above the first, or if the headphones' drivers are exchanged; `cancelled` if the
    ///   search was ended; `input` for sweeps or a recording that cannot be used; and errors of the client.
    func level(
        goesOn: @Sendable () -> Bool, tell: @Sendable (PersonEvent) -> Void
    ) async throws -> Double {
        let judge = sweeps.judge
        var level = min(judge.firstLevel, mostLevel)
        while true {
            let probe = sweeps.short(seconds: Self.seconds, decay: min(Self.decay, sweeps.decay)).at(level: level)
            let plan: TakePlan
            do throws(SweepError) { plan = try probe.plan() } catch { throw ResponseError.input(error.description) }
            guard let recorded = try await take(plan, of: nil, look: { nil }, goesOn: goesOn, tell: tell) else {
                throw ResponseError.cancelled
            }
            let found = try judged(recorded, plan, number: nil)
            let peaks = EarPeaks(recorded.take)
            tell(.tried(level: level, peaks: peaks, margin: found.margin))
            // A louder sweep does not remove this fault.
            guard !found.faults.contains(.exchangedDrivers) else {
                throw ResponseError.refused(
                    [(take: "the search for the level", faults: [.exchangedDrivers])], remedy: "nothing was kept")
            }
            let clipped = found.faults.filter { $0.name == "clipped" }
            guard clipped.isEmpty else {
                guard level - Self.step >= judge.firstLevel else {
                    throw ResponseError.refused(
                        [(take: "the search for the level", faults: clipped)], remedy: "nothing was kept")
                }
                return level - Self.step
            }
            let isEnough = found.margin >= Self.margin || peaks.highest + Self.step > Self.headroom
            if isEnough || level >= mostLevel {
                let quiet = found.faults.filter { judge.faultsOfLevel.contains($0.name) }
                guard quiet.isEmpty else {
                    throw ResponseError.refused(
                        [(take: "the search for the level", faults: quiet)],
                        remedy:
                            "the level was at most \(Int(level)) dBFS; are \(judge.sources) and microphones connected?")
                }
                return level
            }
            level = min(mostLevel, level + Self.step)
        }
    }
}
