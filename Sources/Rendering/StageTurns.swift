import Geometry
import Signal
import Soundstage

/// How each programme's stage lies to the head: by the head's pose, the programme's place, and how far it is tied to
/// the stage. What is asked for is reached by motion, never by a jump.
///
/// Used by the audio thread alone.
struct StageTurns: ~Copyable {
    /// Radians by which a live head turns in a second at most: 680 degrees, faster than listeners turn, and less than a
    /// degree in 64 frames at 44.1 kHz.
    static var farthestPerSecond: Double { @_noLocks get { 680 / 180 * Double.pi } }
    /// Seconds in which a stage passes from hanging on the head to standing still, or back.
    static let untying = 0.25
    /// Seconds in which a point becomes half a circle, or back.
    static let widening = 0.5

    /// A programme's tie and place, and what they are bound for.
    private struct Tie {
        /// 1: stands still; 0: hangs from the head.
        var weight = 1.0
        var wantedWeight = 1.0
        var place = Quaternion.identity
        var wantedPlace = Quaternion.identity
        /// Radians.
        var wantedWidth = 0.0
    }
    private let ties: UnsafeMutablePointer<Tie>
    /// `[programme]`: from its stage to the head.
    private let turns: UnsafeMutablePointer<Quaternion>
    /// `[programme]`: how wide its sources are, radians.
    let widths: UnsafeMutablePointer<Double>
    private let count: Int
    /// The programme whose stage the room follows, and the sound field: it is the sound field's own where there is one.
    let lead: Int
    private let hasField: Bool
    private let weightPerFrame: Double
    private let farthestPerFrame: Double
    private let widthPerFrame: Double

    /// So many programmes that stand still at their own places, and a sound field behind them; without any, the one
    /// stage there is.
    init(count: Int, hasField: Bool = false, sampleRate: Double) {
        self.count = max(1, count + (hasField ? 1 : 0))
        lead = hasField ? count : 0
        self.hasField = hasField
        ties = .allocate(capacity: self.count)
        ties.initialize(repeating: Tie(), count: self.count)
        turns = .allocate(capacity: self.count)
        turns.initialize(repeating: .identity, count: self.count)
        weightPerFrame = 1 / (Self.untying * sampleRate)
        farthestPerFrame = Self.farthestPerSecond / sampleRate
        widths = .allocate(capacity: self.count)
        widths.initialize(repeating: 0, count: self.count)
        widthPerFrame = Double.pi / (Self.widening * sampleRate)
    }

    deinit {
        ties.deallocate()
        turns.deallocate()
        widths.deallocate()
    }

    /// Asks for a tie, a place and a width (radians, 0…π); `atOnce` where a stream begins.
    @_noLocks
    func aim(_ programme: Int, isTied: Bool, place: Quaternion, width: Double, atOnce: Bool) {
        ties[programme].wantedWeight = isTied ? 1 : 0
        ties[programme].wantedPlace = place
        ties[programme].wantedWidth = width
        guard atOnce else { return }
        ties[programme].weight = ties[programme].wantedWeight
        ties[programme].place = place
        widths[programme] = width
    }

    /// Whether a programme's sources have width, or are about to.
    @_noLocks
    func isWide(_ programme: Int) -> Bool { widths[programme] > 0 || ties[programme].wantedWidth > 0 }

    /// Moves on by a fade of so many frames.
    @_noLocks
    func advance(frames: Int) {
        let step = weightPerFrame * Double(frames)
        for programme in 0..<count {
            let tie = ties[programme]
            let missing = tie.wantedWeight - tie.weight
            ties[programme].weight = abs(missing) <= step ? tie.wantedWeight : tie.weight + (missing > 0 ? step : -step)
            let lacking = tie.wantedWidth - widths[programme]
            let widening = widthPerFrame * Double(frames)
            widths[programme] =
                abs(lacking) <= widening ? tie.wantedWidth : widths[programme] + (lacking > 0 ? widening : -widening)
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

    /// The head's pose as the first programme's stage or the sound field takes it.
    @_noLocks
    func first(headToStage: Quaternion) -> Quaternion {
        let pose = StageTurns.pose(headToStage, weight: ties[lead].weight)
        return !hasField || ties[lead].place.w == 1 ? pose : ties[lead].place.conjugate * pose
    }

    /// The same as the room takes it, which stands where it stands, whatever a programme's place.
    @_noLocks
    func room(headToStage: Quaternion) -> Quaternion { StageTurns.pose(headToStage, weight: ties[lead].weight) }

    @_noLocks
    private static func pose(_ headToStage: Quaternion, weight: Double) -> Quaternion {
        weight == 1 ? headToStage : weight == 0 ? .identity : Quaternion.identity.slerp(to: headToStage, weight)
    }
}
