import AudioIO
import Desk
import Soundstage
import Stages

/// The stages beside the heard one: those of other scenes, the next one during a transition, and the blind comparison
/// of two scenes.
struct Staging {
    /// Number of the heard scene, from 0.
    var scene = 0
    /// Stages of the other scenes, by their numbers; they play unheard.
    var others: [Int: LiveStage] = [:]
    /// Whether the print bus is on.
    var wantsPrint = false
    /// Whether the print bus from before an outage is still to be rebuilt.
    var printReturns = false
    /// Transition to another stage; nil without one.
    var transition: StageTransition?
    /// Scenes of a lost server that are still to be rebuilt.
    var lost: [Int: LiveStage] = [:]
    /// Whether work on the stages is in progress, and the tasks that wait for its end.
    var isBusy = false, waiting: [CheckedContinuation<Void, Never>] = []
    /// Blind comparison in progress, the values from before it, of which doors show the frozen ones meanwhile, and the
    /// result of the last comparison.
    var trial: BlindTrial?
    var shown: [String: ParameterValue] = [:]
    var result: String?

    /// Scenes that are not heard, those still to be rebuilt included.
    var kept: [Int: LiveStage] { others.merging(lost) { $1 } }

    /// Names of all possible scenes.
    static var names: [String] { SceneFacts.names }

    /// Name of the heard scene.
    var name: String { scene < Self.names.count ? Self.names[scene] : "\(scene + 1)" }

    /// Facts of the scenes for the doors.
    var facts: SceneFacts {
        SceneFacts(scene: name, trial: trialWord, sound: trial?.sound.rawValue, hasPrint: wantsPrint || printReturns)
    }

    /// The two scenes compared blind, in one word, or `off`.
    var trialWord: String { trial.map { Self.names[$0.pair.a] + Self.names[$0.pair.b] } ?? "off" }

    /// Names of the existing scenes.
    var filled: [String] { Self.names.indices.filter { $0 == scene || others[$0] != nil }.map { Self.names[$0] } }
}

/// A stage that plays unheard until its filters and rooms are filled, and then fades in.
struct StageTransition {
    /// The next stage.
    var next: LiveStage
    /// Number of its scene.
    var scene: Int
    /// Whether the former stage stays, as another scene.
    var keepsFormer: Bool
    /// Time of the session's clock, in seconds, at which the transition goes on regardless: no cycle runs.
    var deadline: Double
    /// First stream frame seen of the next stage.
    var firstFrame: Int?
    /// Whether the crossfade has started.
    var isFading = false
    /// Continuation of the task that waits for the end.
    var done: CheckedContinuation<SessionReply, Never>?
}
