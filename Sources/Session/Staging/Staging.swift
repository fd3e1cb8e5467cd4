import AudioIO
import Desk
import Soundstage
import Stages

/// The stages beside the one that is heard: those of other scenes, one that is about to take over, and the trial that
/// compares two of them blind.
struct Staging {
    /// The scene that is heard, 0 and on.
    var scene = 0
    /// Stages of the other scenes, by their numbers; they play unheard.
    var others: [Int: LiveStage] = [:]
    /// Whether a print bus is wanted.
    var wantsPrint = false
    /// Whether one that was there before the server went is about to come back.
    var printReturns = false
    /// A stage that is about to be heard.
    var transition: StageTransition?
    /// Scenes that are to be prepared anew for another server, as they were at the former.
    var lost: [Int: LiveStage] = [:]
    /// Whether something is done with stages that others wait for, and the tasks that do.
    var isBusy = false, waiting: [CheckedContinuation<Void, Never>] = []
    /// A blind comparison under way, what doors see meanwhile of what could tell the scenes,
    /// and how the last one ended.
    var trial: BlindTrial?
    var shown: [String: ParameterValue] = [:]
    var result: String?

    /// Scenes that are not heard, those among them that are to be prepared anew.
    var kept: [Int: LiveStage] { others.merging(lost) { $1 } }

    /// Names of the scenes there can be.
    static var names: [String] { SceneFacts.names }

    /// The name of the scene that is heard.
    var name: String { scene < Self.names.count ? Self.names[scene] : "\(scene + 1)" }

    /// What is to be told of it.
    var facts: SceneFacts {
        SceneFacts(scene: name, trial: trialWord, sound: trial?.sound.rawValue, hasPrint: wantsPrint || printReturns)
    }

    /// The pair that is compared blind, in a word, or `off`.
    var trialWord: String { trial.map { Self.names[$0.pair.a] + Self.names[$0.pair.b] } ?? "off" }

    /// Names of the scenes there are.
    var filled: [String] { Self.names.indices.filter { $0 == scene || others[$0] != nil }.map { Self.names[$0] } }
}

/// A stage that plays unheard until its filters and rooms are full of sound, and then fades in.
struct StageTransition {
    /// The stage.
    var next: LiveStage
    /// The scene that it will be.
    var scene: Int
    /// Whether the stage before it stays, as another scene.
    var keepsFormer: Bool
    /// Seconds of the session's clock after which nothing is waited for any more: no cycle comes.
    var deadline: Double
    /// The stream's frame at which it was first seen to play.
    var firstFrame: Int?
    /// Whether it fades in.
    var isFading = false
    /// The task that waits for it.
    var done: CheckedContinuation<SessionReply, Never>?
}
