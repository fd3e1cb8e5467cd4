import Signal
import Soundstage
import Synchronization

/// Settings of a stage's monitor section, for all threads except the audio thread.
///
/// Settings pass to the audio thread through a mailbox. The lock of `asked` protects the mailbox's writing side. The
/// fold-down plans and the noise to which the settings point are made once, and kept as long as the renderer. The
/// renderer must outlive every call of the `StageGraph`.
package final class MonitorRenderer: Sendable {
    /// Mailbox through which the settings reach the audio thread.
    let mailbox = LatestValue(MonitorControls())
    private struct Asked {
        var controls = MonitorControls()
        var plans: [Layout: UnsafeMutablePointer<FoldPlan>] = [:]
        var noise: UnsafeMutablePointer<TestNoise>?
    }
    private let asked = Mutex(Asked())
    private let configuration: StageConfiguration

    init(_ configuration: StageConfiguration) { self.configuration = configuration }

    deinit {
        asked.withLock { asked in
            for plan in asked.plans.values {
                plan.deinitialize(count: 1)
                plan.deallocate()
            }
            asked.noise?.deinitialize(count: 1)
            asked.noise?.deallocate()
        }
        mailbox.deallocate()
    }

    /// Current settings.
    package var controls: MonitorControls { asked.withLock { $0.controls } }

    /// Changes the settings. They are reached within 20 ms from the next slice on, or within 40 ms if a gain is still
    /// changing. For `awayGain` these times are 0.5 s and 1 s. Any thread except the audio thread may call it.
    package func change(_ change: (inout MonitorControls) -> Void) {
        asked.withLock {
            change(&$0.controls)
            mailbox.store($0.controls)
        }
    }

    /// Applies a fold-down to a narrower layout, or removes it if `target` is nil.
    ///
    /// - Parameter isInRoom: Returns whether a source sounds in a room, where it cannot move.
    /// - Returns: Names of the programmes that have more channels than the target, and too few tracked loudspeakers
    ///   without width to play it. These programmes sound as before.
    /// - Throws: The reason why the fold-down is impossible. The previous setting then stays in force.
    @discardableResult
    package func fold(
        to target: Layout?, isInRoom: (Int) -> Bool = { _ in false }
    ) throws(FoldDownError) -> [String] {
        guard let target else {
            unfold()
            return []
        }
        let draft: FoldDraft
        do throws(SoundstageError) { draft = try FoldDraft(configuration, to: target) } catch {
            throw .impossible(error)
        }
        let skipped = draft.skipped.map { configuration.programmes[$0].programme.name }
        guard !draft.folded.isEmpty else {
            throw skipped.isEmpty ? .nothingWider(than: target.name) : .tooFewTracked(programmes: skipped, target.name)
        }
        if let source = draft.moved.first(where: isInRoom) {
            throw .standsInRoom(loudspeaker: name(of: source), target: target.name)
        }
        asked.withLock { asked in
            let plan = asked.plans[target] ?? .allocate(capacity: 1)
            if asked.plans[target] == nil {
                plan.initialize(to: FoldPlan(draft))
                asked.plans[target] = plan
            }
            asked.controls.fold = UInt(bitPattern: plan)
            mailbox.store(asked.controls)
        }
        return skipped
    }

    /// Removes the fold-down.
    package func unfold() { change { $0.fold = 0 } }

    /// Plays test noise from a source, counted through all programmes, or stops it if `source` is nil.
    package func playNoise(from source: Int?) {
        asked.withLock { asked in
            if let source {
                let noise = asked.noise ?? .allocate(capacity: 1)
                if asked.noise == nil {
                    noise.initialize(to: TestNoise(sampleRate: configuration.sampleRate))
                    asked.noise = noise
                }
                asked.controls.noiseSource = source
                asked.controls.noise = UInt(bitPattern: noise.pointee.samples)
                asked.controls.noiseFrames = noise.pointee.count
            } else {
                asked.controls.noiseSource = -1
            }
            mailbox.store(asked.controls)
        }
    }

    private func name(of source: Int) -> String {
        configuration.programmes.flatMap { $0.programme.layout.loudspeakers.map(\.symbol) }[source]
    }
}

/// Reason why a fold-down is impossible.
package enum FoldDownError: Error, CustomStringConvertible {
    /// No programme has more channels than the layout.
    case nothingWider(than: String)
    /// The programmes with more channels than the layout have too few tracked loudspeakers without width to play it.
    case tooFewTracked(programmes: [String], String)
    /// A loudspeaker would have to move, but a room was measured or generated for its present direction.
    case standsInRoom(loudspeaker: String, target: String)
    /// The layouts cannot be converted.
    case impossible(SoundstageError)

    /// Message with the reason and a remedy, if there is one.
    package var description: String {
        switch self {
        case .nothingWider(let target): "no input has more channels than \(target), so there is nothing to fold down"
        case .tooFewTracked(let programmes, let target):
            Self.skipping(programmes, target)
        case .standsInRoom(let loudspeaker, let target):
            "\(loudspeaker) has another direction in \(target), and the room was made for its present direction; "
                + "switch the room off (room-name none) for this fold-down"
        case .impossible(let error): error.description
        }
    }

    /// Message that some programmes are not folded.
    package static func skipping(_ programmes: [String], _ target: String) -> String {
        "\(programmes.map { "'\($0)'" }.joined(separator: ", ")): too few loudspeakers are tracked and without width "
            + "to play \(target); these inputs are heard as before"
    }
}
