import Geometry
import Signal
import Soundstage

/// How each programme's stage lies to the head: by the head's pose, the programme's place, and how far it is tied to the
/// stage. What is asked for is reached by motion, never by a jump.
///
/// Used by the audio thread alone.
struct StageTurns: ~Copyable {
    /// Seconds in which a stage passes from hanging on the head to standing still, or back.
    static let untying = 0.25

    /// A programme's tie and place, and what they are bound for.
    private struct Tie {
        /// 1: stands still; 0: hangs from the head.
        var weight = 1.0
        var wantedWeight = 1.0
        var place = Quaternion.identity
        var wantedPlace = Quaternion.identity
    }
    private let ties: UnsafeMutablePointer<Tie>
    /// `[programme]`: from its stage to the head.
    private let turns: UnsafeMutablePointer<Quaternion>
    private let count: Int
    private let weightPerFrame: Double
    private let farthestPerFrame: Double

    /// So many programmes that stand still at their own places; without any, the one stage there is.
    init(count: Int, sampleRate: Double) {
        self.count = max(1, count)
        ties = .allocate(capacity: self.count)
        ties.initialize(repeating: Tie(), count: self.count)
        turns = .allocate(capacity: self.count)
        turns.initialize(repeating: .identity, count: self.count)
        weightPerFrame = 1 / (Self.untying * sampleRate)
        farthestPerFrame = StageGraph.farthestPerSecond / sampleRate
    }

    deinit {
        ties.deallocate()
        turns.deallocate()
    }

    /// Asks for a tie and a place; `atOnce` where a stream begins.
    @_noLocks
    func aim(_ programme: Int, isTied: Bool, place: Quaternion, atOnce: Bool) {
        ties[programme].wantedWeight = isTied ? 1 : 0
        ties[programme].wantedPlace = place
        guard atOnce else { return }
        ties[programme].weight = ties[programme].wantedWeight
        ties[programme].place = place
    }

    /// Moves on by a fade of so many frames.
    @_noLocks
    func advance(frames: Int) {
        let step = weightPerFrame * Double(frames)
        for programme in 0..<count {
            let tie = ties[programme]
            let missing = tie.wantedWeight - tie.weight
            ties[programme].weight = abs(missing) <= step ? tie.wantedWeight : tie.weight + (missing > 0 ? step : -step)
            ties[programme].place = tie.place.turned(towards: tie.wantedPlace, by: farthestPerFrame * Double(frames))
        }
    }

    /// Each programme's rotation from its stage to the head, for a head pose; valid until the next call.
    @_noLocks
    func turns(headToStage: Quaternion) -> UnsafePointer<Quaternion> {
        for programme in 0..<count {
            let tie = ties[programme]
            let stageToHead = StageTurns.pose(headToStage, weight: tie.weight).conjugate
            turns[programme] = tie.place.w == 1 ? stageToHead : stageToHead * tie.place
        }
        return UnsafePointer(turns)
    }

    /// The head's pose as the first programme's stage, and the room and the sound field with it, take it.
    @_noLocks
    func first(headToStage: Quaternion) -> Quaternion { StageTurns.pose(headToStage, weight: ties[0].weight) }

    @_noLocks
    private static func pose(_ headToStage: Quaternion, weight: Double) -> Quaternion {
        weight == 1 ? headToStage : weight == 0 ? .identity : Quaternion.identity.slerp(to: headToStage, weight)
    }
}
