import Foundation
import Geometry
import Soundstage
import Sweeps

/// Reads recordings, and judges them as takes of the sound that was played (`MeasurementSignal`).
struct TakeReader {
    /// Loudspeakers that the takes may contain.
    let loudspeakers: [Loudspeaker]
    /// Whether the recordings may begin at any time before the sound.
    let isFree: Bool
    /// Whether the recordings are of single sweeps and began at any time, so that the loudspeakers' distances give the
    /// delays between them.
    let isApart: Bool
    private let microphones: [MicrophoneCalibration?]
    private let kind: Kind

    private enum Kind {
        /// A single sweep; the silence before it each time it is played, seconds; and the layout's name.
        case sweep(SingleSweep, pause: Double, layout: String)
        case plan(TakePlan, isSynchronous: Bool)
    }

    /// Reads what was played.
    init(_ played: MeasurementSignal, microphones: [MicrophoneCalibration?]) throws(ResponseError) {
        self.microphones = microphones
        switch played {
        case .sweep(let path, let layout, let pause, let isApart):
            loudspeakers = layout.loudspeakers.filter { !$0.isLowFrequency }
            kind = .sweep(try TakeReading.sweep(path), pause: pause, layout: layout.name)
            self.isApart = isApart
            isFree = isApart
        case .plan(let path):
            let sweeps = try PlayedSweeps(contentsOf: path)
            guard !sweeps.isOfHeadphones else {
                throw .input("\(path) describes sweeps of headphones; 'measure headphones' reads their takes")
            }
            loudspeakers = sweeps.loudspeakers
            isFree = !sweeps.isSynchronous
            isApart = false
            do throws(SweepError) { kind = .plan(try sweeps.plan(), isSynchronous: sweeps.isSynchronous) } catch {
                throw .input("\(path): \(error.description)")
            }
        }
    }

    /// Returns a file's name without its extension.
    private static func stem(_ path: String) -> String {
        ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    }

    /// Checks the names of all recordings of a plan, before the first one is read.
    ///
    /// - Throws: `input` with the files that are not named as takes.
    func checkNames(_ paths: [String]) throws(ResponseError) {
        guard case .plan = kind else { return }
        let others = paths.filter { TakeFileName.yaw(in: Self.stem($0)) == nil }
        guard others.isEmpty else { throw .input(Self.unnamed(others)) }
    }

    private static func unnamed(_ paths: [String]) -> String {
        paths.joined(separator: ", ") + ": "
            + (paths.count == 1 ? "its name is not that of a take" : "their names are not those of takes")
            + "; expected the head's yaw behind the last '_', −360 to 360 degrees, as in look_30.wav; without digits 0"
    }

    /// Reads and judges a recording.
    func take(_ path: String) throws(ResponseError) -> NamedTake {
        let stem = Self.stem(path)
        switch kind {
        case .sweep(let sweep, let pause, let layout):
            let (left, right) = try TakeReading.take(path, rate: sweep.sweep.sampleRate)
            return try take(path, left, right, try name(path, stem, layout: layout), sweep, pause: pause)
        case .plan(let plan, let isSynchronous):
            guard let yaw = TakeFileName.yaw(in: stem) else { throw .input(Self.unnamed([path])) }
            let recorded = try TakeReading.take(path, rate: plan.sweep.sampleRate)
            do throws(SweepError) {
                let (left, right) =
                    try isSynchronous ? recorded : plan.aligned(recorded.left, recorded.right)
                let head = Rotation<Head, Stage>(yaw: yaw * .pi / 180)
                let take = try MeasuredTake(
                    plan, left: left, right: right, microphones: microphones,
                    first: head.inverse(loudspeakers[0].direction))
                return NamedTake(path: path, yaw: yaw, take: take, faults: take.faults)
            } catch { throw .input("\(path): \(error.description)") }
        }
    }

    /// Reads the loudspeakers and the yaw in a recording's file name.
    private func name(_ path: String, _ stem: String, layout: String) throws(ResponseError) -> TakeFileName {
        let known = loudspeakers.map(\.symbol)
        if let name = TakeFileName(stem, of: known) { return name }
        guard let name = TakeFileName(stem) else {
            throw .input(
                "\(path): its name does not say what it holds; expected loudspeakers and the head's yaw, as in FL,FR_30.wav"
            )
        }
        let letters = known.map { $0.uppercased() }
        let unknown = name.loudspeakers.compactMap(\.self).first { !letters.contains($0) }
        throw .input(
            "\(path): \(unknown ?? stem) is no loudspeaker of \(layout) (\(known.joined(separator: ", "))); name the file "
                + "by its loudspeakers, as FL,FR_30.wav, or give another --layout")
    }

    /// Judges a recording whose file name gives the loudspeakers.
    private func take(
        _ path: String, _ left: [Float], _ right: [Float], _ name: TakeFileName, _ sweep: SingleSweep,
        pause: Double
    ) throws(ResponseError) -> NamedTake {
        let parts = name.loudspeakers.enumerated().compactMap { place, loudspeaker in
            loudspeaker.map { TakePlan.Part(loudspeaker: $0, start: sweep.start(place, pause: pause)) }
        }
        guard !parts.isEmpty else { throw .input("\(path): all its sweeps are left out by their names") }
        do throws(SweepError) {
            let take: MeasuredTake
            if isApart {
                let spacing = sweep.start(1, pause: pause) - sweep.start(0, pause: pause)
                // The silence after the sweep in its file is the time of the room's decay.
                let decay = Double(sweep.after) / sweep.sweep.sampleRate
                let found = try FoundSweeps(
                    sweep.sweep, loudspeakers: name.loudspeakers, spacing: spacing,
                    response: decay >= 0.1 ? decay : pause, in: left, right)
                take = try MeasuredTake(
                    found.plan, left: found.left, right: found.right, microphones: microphones, cut: found.cut)
            } else {
                let plan = TakePlan(sweep: sweep.sweep, parts: parts, response: pause, frames: left.count)
                take = try MeasuredTake(plan, left: left, right: right, microphones: microphones)
            }
            return NamedTake(path: path, yaw: name.yaw, take: take, faults: take.faults)
        } catch { throw .input("\(path): \(error.description)") }
    }
}
