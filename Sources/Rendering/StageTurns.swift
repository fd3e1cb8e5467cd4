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
    /// Radians by which a stage is turned to another place in a second at most, and a source walks: slower than a head,
    /// so that nothing is put beside a tone.
    static var fastestPlacing: Double { @_noLocks get { 300 / 180 * Double.pi } }
    /// Of the way from hanging on the head to standing still, and back, in a second at most: all of it in a quarter,
    /// and where the head is turned away, 100 degrees, which a room, too, follows without anything beside a tone.
    private static var fastestUntying: Double { @_noLocks get { 4 } }
    private static var fastestUntyingTurn: Double { @_noLocks get { 100 / 180 * Double.pi } }
    /// Radians by which a source is widened in a second at most.
    private static var fastestWidening: Double { @_noLocks get { 2 * Double.pi } }

    /// A programme's tie and place, and what they are bound for.
    private struct Tie {
        /// 1: stands still; 0: hangs from the head.
        var weight = 1.0
        var wantedWeight = 1.0
        var place = Quaternion.identity
        var wantedPlace = Quaternion.identity
        /// Radians.
        var wantedWidth = 0.0
        /// How the way to each of them is gone.
        var untying = EasedWay(), placing = EasedWay(), widening = EasedWay()

        /// Whether the stage is tied as it is to be, stands where it is to stand, and is as wide, `width`,
        /// as it is to be.
        @_noLocks
        func rests(width: Double) -> Bool {
            untying.rests && placing.rests && widening.rests && weight == wantedWeight && width == wantedWidth
                && place.w == wantedPlace.w && place.x == wantedPlace.x && place.y == wantedPlace.y
                && place.z == wantedPlace.z
        }
    }
    private let ties: UnsafeMutablePointer<Tie>
    /// `[programme]`: from its stage to the head.
    private let turns: UnsafeMutablePointer<Quaternion>
    /// `[programme]`: how wide its sources are, radians.
    let widths: UnsafeMutablePointer<Double>
    private let count: Int
    /// The programme whose stage the room follows.
    private let lead: Int
    private let sampleRate: Double

    /// So many programmes that stand still at their own places; without any, the one stage there is.
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

    /// Moves on by a fade of so many frames, the head at a pose. A programme that has arrived costs a comparison.
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

    /// The head's pose as the stage of the programme that leads takes it.
    @_noLocks
    func lead(headToStage: Quaternion) -> Quaternion {
        let pose = StageTurns.pose(headToStage, weight: ties[lead].weight)
        return ties[lead].place.w == 1 ? pose : ties[lead].place.conjugate * pose
    }

    /// The same as the room takes it, which stands where it stands, whatever a programme's place.
    @_noLocks
    func room(headToStage: Quaternion) -> Quaternion { StageTurns.pose(headToStage, weight: ties[lead].weight) }

    @_noLocks
    private static func pose(_ headToStage: Quaternion, weight: Double) -> Quaternion {
        weight == 1 ? headToStage : weight == 0 ? .identity : Quaternion.identity.slerp(to: headToStage, weight)
    }
}
