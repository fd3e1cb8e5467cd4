import Geometry
import Signal
import Soundstage

/// Orientation of each programme's stage relative to the head. It follows from the head's pose, the programme's own
/// rotation (place), and the weight of its tie (1: fixed to the stage, 0: fixed to the head). Except at the stream's
/// beginning, new values are reached gradually.
///
/// Only the audio thread uses the value.
struct StageTurns: ~Copyable {
    /// Fastest turn of the head with live poses, radians per second: 680 degrees. It is faster than listeners turn, and
    /// less than one degree in 64 frames at 44.1 kHz.
    static var farthestPerSecond: Double { @_noLocks get { 680 / 180 * Double.pi } }
    /// Fastest turn of a stage when its own rotation changes, and fastest move of a source, radians per second. It is
    /// slower than the turn of a head, so that the modulation of a pure tone is inaudible.
    static var fastestPlacing: Double { @_noLocks get { 300 / 180 * Double.pi } }
    /// Fastest change of a tie's weight, per second. A change of the tie between head and stage takes 0.3 s, or longer
    /// if the head is turned away (`fastestUntyingTurn`).
    private static var fastestUntying: Double { @_noLocks get { 4 } }
    /// Fastest turn of the stage while its tie changes and the head is turned away, radians per second: 100 degrees. A
    /// room can follow this turn too, without an audible modulation of a pure tone.
    private static var fastestUntyingTurn: Double { @_noLocks get { 100 / 180 * Double.pi } }
    /// Fastest change of a source's width, radians per second.
    private static var fastestWidening: Double { @_noLocks get { 2 * Double.pi } }

    /// Tie, place and width of a programme's stage, with their targets.
    private struct Tie {
        /// Weight of the tie: 1 is fixed to the stage, 0 is fixed to the head.
        var weight = 1.0
        var wantedWeight = 1.0
        var place = Quaternion.identity
        var wantedPlace = Quaternion.identity
        /// Target of the width, radians.
        var wantedWidth = 0.0
        /// Speeds of weight, place and width on the way to their targets.
        var untying = EasedWay(), placing = EasedWay(), widening = EasedWay()

        /// Returns whether tie and place have reached their targets, and `width` equals its target.
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

    /// Makes `count` programmes that are fixed to the stage, without a rotation of their own. A `count` of 0 counts as
    /// 1.
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

    /// Sets the targets of a programme's tie, place and width (radians, 0…π). With `atOnce` (a stream begins) they are
    /// reached immediately.
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

    /// Returns whether a programme's sources have width, or are about to get it.
    @_noLocks
    func isWide(_ programme: Int) -> Bool { widths[programme] > 0 || ties[programme].wantedWidth > 0 }

    /// Advances all programmes by the time of one fade, `frames` frames, for the head's pose `headToStage`. A programme
    /// that has reached its targets costs one comparison.
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

    /// Returns the rotation from each programme's stage to the head, for a head pose. The memory is valid until the
    /// next call.
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

    /// Returns the head's pose relative to the room. The leading programme's tie applies to the room; its own rotation
    /// (place) does not.
    @_noLocks
    func room(headToStage: Quaternion) -> Quaternion { StageTurns.pose(headToStage, weight: ties[lead].weight) }

    @_noLocks
    private static func pose(_ headToStage: Quaternion, weight: Double) -> Quaternion {
        weight == 1 ? headToStage : weight == 0 ? .identity : Quaternion.identity.slerp(to: headToStage, weight)
    }
}
