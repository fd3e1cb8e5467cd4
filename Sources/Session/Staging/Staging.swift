import AudioIO
import Desk
import Soundstage
import Stages

/// State of the stages beside the heard one: the stages of other scenes, the next stage during a transition, the print
/// bus, and the blind comparison of two scenes.
struct Staging {
    /// Number of the heard scene, from 0.
    var scene = 0
    /// Stages of the other scenes, by their numbers; they play unheard.
    var others: [Int: LiveStage] = [:]
    /// Whether the print bus is on.
    var wantsPrint = false
    /// Whether the print bus was on before an outage and has not been rebuilt yet.
    var printReturns = false
    /// Whether the print bus is being rebuilt.
    var revivesPrint = false
    /// Transition to another stage; nil without one.
    var transition: StageTransition?
    /// Scenes from before an outage that have not been rebuilt yet.
    var lost: [Int: LiveStage] = [:]
    /// Whether work on the stages is in progress, and the tasks that wait for its end.
    var isBusy = false, waiting: [CheckedContinuation<Void, Never>] = []
    /// Blind comparison in progress; the values from before it, some of which are shown unchanged meanwhile; and the
    /// result of the last comparison.
    var trial: BlindTrial?
    var shown: [String: ParameterValue] = [:]
    var result: String?

    /// Scenes that are not heard, including those that have not been rebuilt yet.
    var kept: [Int: LiveStage] { others.merging(lost) { $1 } }

    /// Names of all possible scenes.
    static var names: [String] { SceneFacts.names }

    /// Name of the heard scene.
    var name: String { scene < Self.names.count ? Self.names[scene] : "\(scene + 1)" }

    /// Facts of the scenes for the control interfaces.
    var facts: SceneFacts {
        SceneFacts(scene: name, trial: trialWord, sound: trial?.sound.rawValue, hasPrint: wantsPrint || printReturns)
    }

    /// The two scenes compared blind, in one word, or `off`.
    var trialWord: String { trial.map { Self.names[$0.pair.a] + Self.names[$0.pair.b] } ?? "off" }

    /// Names of the heard scene and of the scenes that play unheard.
    var filled: [String] { Self.names.indices.filter { $0 == scene || others[$0] != nil }.map { Self.names[$0] } }
}

/// A stage that plays unheard until its filters and rooms are filled, and then fades in.
struct StageTransition {
    /// The next stage.
    var next: LiveStage
    /// Number of the next stage's scene.
    var scene: Int
    /// Whether the former stage stays, as another scene.
    var keepsFormer: Bool
    /// Time of the session's clock, seconds, at which the transition continues even if no cycles run.
    var deadline: Double
    /// Stream frame of the next stage at its first report; nil before it.
    var firstFrame: Int?
    /// Whether the crossfade has started.
    var isFading = false
    /// Continuation of the task that waits for the end.
    var done: CheckedContinuation<SessionReply, Never>?
}
