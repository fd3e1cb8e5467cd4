import Geometry
import Signal
import Soundstage

/// Orientation of each programme's stage to the head, from the head's pose, the programme's place, and its tie to the
/// stage. A target is reached by motion, never by a jump.
///
/// Used by the audio thread alone.
struct StageTurns: ~Copyable {
    /// Fastest turn of a live head, radians per second: 680 degrees, faster than listeners turn, and less than a degree
    /// in 64 frames at 44.1 kHz.
    static var farthestPerSecond: Double { @_noLocks get { 680 / 180 * Double.pi } }
    /// Fastest turn of a stage to another place, and fastest move of a source, radians per second: slower than a head,
    /// so that no modulation is audible beside a tone.
    static var fastestPlacing: Double { @_noLocks get { 300 / 180 * Double.pi } }
    /// Fastest change of a tie's weight, per second: all the way from fixed to the head to fixed to the stage, or back,
    /// in a quarter of a second. With the head turned away, the stage also turns by 100 degrees per second at most,
    /// which a room follows, too, without modulation beside a tone.
    private static var fastestUntying: Double { @_noLocks get { 4 } }
    private static var fastestUntyingTurn: Double { @_noLocks get { 100 / 180 * Double.pi } }
    /// Fastest widening of a source, radians per second.
    private static var fastestWidening: Double { @_noLocks get { 2 * Double.pi } }

    /// Tie and place of a programme, and their targets.
    private struct Tie {
        /// 1: fixed to the stage; 0: fixed to the head.
        var weight = 1.0
        var wantedWeight = 1.0
        var place = Quaternion.identity
        var wantedPlace = Quaternion.identity
        /// Target of the width, radians.
        var wantedWidth = 0.0
        /// Speed on the way to each target.
        var untying = EasedWay(), placing = EasedWay(), widening = EasedWay()

        /// Returns whether tie and place rest at their targets, and `width` equals its target.
        @_noLocks
        func rests(width: Double) -> Bool {
            untying.rests && placing.rests && widening.rests && weight == wantedWeight && width == wantedWidth
                && place.w == wantedPlace.w && place.x == wantedPlace.x && place.y == wantedPlace.y
                && place.z == wantedPlace.z
        }
    }
    private let ties: UnsafeMutablePointer<Tie>
    /// `[programme]`: rotation from its stage to the head.
    private let turns: UnsafeMutablePointer<Quaternion>
    /// `[programme]`: width of its sources, radians.
    let widths: UnsafeMutablePointer<Double>
    private let count: Int
    /// The programme whose stage the room follows.
    private let lead: Int
    private let sampleRate: Double

    /// Holds `count` programmes, fixed to the stage at their own places; without any, one stage.
    init(count: Int, lead: Int, sampleRate: Double) {
        self.count = max(1, count)
        self.lead = lead
        ties = .allocate(capacity: self.count)
        ties.initialize(repeating: Tie(), count: self.count)
        turns = .allocate(capacity: self.count)
        turns.initialize(repeating: .identity, count: self.count)
        self.sampleRate = sampleRate
        widths = .allocate(capacity: self.count)
        widths.initialize(repeating: 0, count: self.count)
    }

    deinit {
        ties.deallocate()
        turns.deallocate()
        widths.deallocate()
    }

    /// Sets the targets of a tie, a place and a width (radians, 0…π); `atOnce` where a stream begins.
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

    /// Returns whether a programme's sources have width, or are about to.
    @_noLocks
    func isWide(_ programme: Int) -> Bool { widths[programme] > 0 || ties[programme].wantedWidth > 0 }

    /// Advances by a fade of `frames` frames, with the head at a pose. A programme at its targets costs a comparison.
    @_noLocks
    func advance(frames: Int, headToStage: Quaternion) {
        for programme in 0..<count where !ties[programme].rests(width: widths[programme]) {
            move(programme, frames: frames, headToStage: headToStage)
        }
    }

    @_noLocks
    private func move(_ programme: Int, frames: Int, headToStage: Quaternion) {
        let tie = ties[programme]
        let away = headToStage.angle(to: .identity)
        let fastest = min(Self.fastestUntying, Self.fastestUntyingTurn / max(away, 1e-3))
        let missing = tie.wantedWeight - tie.weight
        let untied = ties[programme].untying.step(
            of: abs(missing), fastest: fastest, frames: frames, sampleRate: sampleRate)
        ties[programme].weight =
            untied == abs(missing) ? tie.wantedWeight : tie.weight + (missing > 0 ? untied : -untied)
        let lacking = tie.wantedWidth - widths[programme]
        let widened = ties[programme].widening.step(
            of: abs(lacking), fastest: Self.fastestWidening, frames: frames, sampleRate: sampleRate)
        widths[programme] =
            widened == abs(lacking) ? tie.wantedWidth : widths[programme] + (lacking > 0 ? widened : -widened)
        let left = tie.place.angle(to: tie.wantedPlace)
        let turned = ties[programme].placing.step(
            of: left, fastest: Self.fastestPlacing, frames: frames, sampleRate: sampleRate)
        ties[programme].place =
            turned == left ? tie.wantedPlace : tie.place.turned(towards: tie.wantedPlace, by: turned)
    }

    /// Returns each programme's rotation from its stage to the head, for a head pose; valid until the next call.
    @_noLocks
    func turns(headToStage: Quaternion) -> UnsafePointer<Quaternion> {
        for programme in 0..<count {
            let tie = ties[programme]
            let stageToHead = StageTurns.pose(headToStage, weight: tie.weight).conjugate
            turns[programme] = tie.place.w == 1 ? stageToHead : stageToHead * tie.place
        }
        return UnsafePointer(turns)
    }

    /// Returns the head's pose relative to the stage of the leading programme.
    @_noLocks
    func lead(headToStage: Quaternion) -> Quaternion {
        let pose = StageTurns.pose(headToStage, weight: ties[lead].weight)
        return ties[lead].place.w == 1 ? pose : ties[lead].place.conjugate * pose
    }

    /// Returns the head's pose relative to the room, which a programme's place does not turn.
    @_noLocks
    func room(headToStage: Quaternion) -> Quaternion { StageTurns.pose(headToStage, weight: ties[lead].weight) }

    @_noLocks
    private static func pose(_ headToStage: Quaternion, weight: Double) -> Quaternion {
        weight == 1 ? headToStage : weight == 0 ? .identity : Quaternion.identity.slerp(to: headToStage, weight)
    }
}
