import CRealtime
import Convolution
import Geometry
import Signal
import Synchronization

/// Room around the stage. Adds the room's sound to both ears, and scales the sources in the room before their HRTF
/// filters (the head-related path).
///
/// The stage runs in `StageGraph` in parallel with the loudspeakers' convolution, on the same grid of slices. A room
/// fades in or out, and one room replaces another, within a tenth of a second. `RoomRenderer` makes and frees the
/// stage; the audio thread uses it by pointer.
struct RoomStage: ~Copyable {
    /// Switch of the room. Any thread may set it.
    struct Switch: ~Copyable, Sendable { let isOn = Atomic<Bool>(true) }

    private let slice: Int
    private let fades: Int
    /// Fastest turn of a head, radians per frame.
    private let farthestPerFrame: Double
    private let exchange: BankExchange
    private let flag: UnsafeMutablePointer<Switch>
    /// Room in use.
    private var current: RoomReference?
    /// Room that fades out.
    private var parting: RoomReference?
    /// `[fade]`: the head's yaw at the end of the fade, radians.
    private let yaws: UnsafeMutablePointer<Double>
    /// Yaw expected after the slice.
    private var forecast = YawForecast(yaw: 0, perFrame: 0)

    /// Makes a stage without a room.
    init(configuration: StageConfiguration, exchange: BankExchange, flag: UnsafeMutablePointer<Switch>) {
        slice = configuration.slice
        fades = configuration.fadesPerSlice
        farthestPerFrame = StageTurns.farthestPerSecond / configuration.sampleRate.hertz
        self.exchange = exchange
        self.flag = flag
        yaws = .allocate(capacity: fades)
        yaws.initialize(repeating: 0, count: fades)
    }

    deinit { yaws.deallocate() }

    /// Time after a slice, frames, for which `aim` needs the head's predicted pose.
    static var lookahead: Int { @_noLocks get { 2 * RoomPlan.longestTracked } }

    /// Whether a room is in use or fades out in this slice. Otherwise the calls after `beginSlice` are unnecessary.
    var isPresent: Bool {
        // Patterns instead of `==`, which would need the type's metadata.
        @_noLocks get {
            if case .some = current { return true }
            if case .some = parting { return true }
            return false
        }
    }

    /// Setting of the switch. Any thread may read or set it.
    var isWanted: Bool {
        @_noLocks get { flag.pointee.isOn.load(ordering: .relaxed) }
        @_noLocks nonmutating set { flag.pointee.isOn.store(newValue, ordering: .relaxed) }
    }

    /// Begins a slice with the pose at the end of the last slice. `isOn` is true if the room is on. If `anew` is true,
    /// the stream begins, and the head's pose is `headToStage`.
    @_noLocks
    mutating func beginSlice(headToStage: Quaternion, isOn: Bool, anew: Bool) {
        if let old = parting, anew || old.pointer.pointee.presence == 0 {
            exchange.retire(BankReference(address: old.address))
            parting = nil
        }
        // A pattern instead of `==`, which would need the type's metadata.
        if case .none = parting, let address = exchange.take()?.address {
            let next = RoomReference(address: address)
            if let old = current {
                if anew { exchange.retire(BankReference(address: old.address)) } else { parting = old }
            }
            current = next
        }
        guard isPresent else { return }
        let yaw = headToStage.yaw
        current?.pointer.pointee.beginSlice(yaw: yaw, isWanted: isOn, anew: anew)
        parting?.pointer.pointee.beginSlice(yaw: yaw, isWanted: false, anew: false)
    }

    /// Yaw rate of the head that is expected after the slice, radians per frame.
    var expectedTurn: Double { @_noLocks get { forecast.perFrame } }

    /// Sets the head's pose at the end of a fade. Call for the fades 1…slice/fade in order. The expected yaw rate is
    /// computed from `later`, the pose `lookahead` frames after the slice, or is a recorded rate (`turn`, radians per
    /// frame).
    @_noLocks
    mutating func aim(fade index: Int, headToStage: Quaternion, later: Quaternion, turn recorded: Double?) {
        yaws[index - 1] = headToStage.yaw
        guard index == fades else { return }
        current?.pointer.pointee.aim(yaws)
        parting?.pointer.pointee.aim(yaws)
        if let recorded {
            forecast = YawForecast(yaw: yaws[index - 1], perFrame: recorded)
            return
        }
        let turn = 2 * Double.pi
        let way = later.yaw - yaws[index - 1]
        let perFrame = (way - turn * prc_floor(way / turn + 0.5)) / Double(RoomStage.lookahead)
        forecast = YawForecast(
            yaw: yaws[index - 1], perFrame: max(-farthestPerFrame, min(farthestPerFrame, perFrame)))
    }

    /// Clears the rooms' inputs for `count` frames of the slice, from frame `position` on. Call before `take`.
    @_noLocks
    func prepare(at position: Int, count: Int) {
        current?.pointer.pointee.prepare(at: position, count: count)
        parting?.pointer.pointee.prepare(at: position, count: count)
    }

    /// Adds `count` frames of a source to the rooms, from frame `position` on. Then scales these frames, in place, for
    /// the head-related path.
    @_noLocks
    func take(_ source: Int, _ samples: UnsafeMutablePointer<Float>, at position: Int, count: Int) {
        var direct = SIMD2<Float>(1, 1)
        for room in 0..<2 {
            guard let player = (room == 0 ? current : parting)?.pointer else { continue }
            player.pointee.take(source, samples, at: position, count: count)
            direct += player.pointee.directChange(source)
        }
        if direct == SIMD2(1, 1) { return }
        let rise = (direct.y - direct.x) / Float(slice)
        Samples.ramp(
            samples, from: direct.x + rise * Float(position), to: direct.x + rise * Float(position + count),
            count: count)
    }

    /// Returns the gain of the rooms for a source, 0…1.
    @_noLocks
    func share(_ source: Int) -> Float {
        var share: Float = 0
        if let current { share += current.pointer.pointee.share(source) }
        if let parting { share += parting.pointer.pointee.share(source) }
        return min(1, share)
    }

    /// Adds `count` frames of the rooms' sound to both ears, from frame `position` of the slice on.
    @_noLocks
    mutating func add(
        from position: Int, count: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        current?.pointer.pointee.add(from: position, count: count, left: left, right: right)
        parting?.pointer.pointee.add(from: position, count: count, left: left, right: right)
    }

    /// Ends a slice that is completely rendered.
    @_noLocks
    mutating func endSlice() {
        current?.pointer.pointee.endSlice(expecting: forecast)
        parting?.pointer.pointee.endSlice(expecting: forecast)
    }
}
