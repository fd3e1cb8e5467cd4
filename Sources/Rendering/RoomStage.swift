import CRealtime
import Convolution
import Geometry
import Signal
import Synchronization

/// Room around the stage: adds its sound to both ears, and reduces the head-related path of its sources accordingly.
///
/// Runs beside the loudspeakers' convolution in `StageGraph`, on the same grid of slices. A room fades in and out, and
/// from one to the next, within a tenth of a second. Made and freed by `RoomRenderer`, reached by pointer on the audio
/// thread.
struct RoomStage: ~Copyable {
    /// Switch of the room; set by any thread.
    struct Switch: ~Copyable, Sendable { let isOn = Atomic<Bool>(true) }

    private let slice: Int
    private let fades: Int
    /// Fastest turn of a head, radians per frame.
    private let farthestPerFrame: Double
    private let exchange: BankExchange
    private let flag: UnsafeMutablePointer<Switch>
    /// Room in use, and the one that fades out.
    private var current: RoomReference?
    private var parting: RoomReference?
    /// `[fade]`: the head's yaw at its end, radians.
    private let yaws: UnsafeMutablePointer<Double>
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

    /// Frames past a slice for which `aim` takes a prediction of the head's pose.
    static var lookahead: Int { @_noLocks get { 2 * RoomPlan.longestTracked } }

    /// Whether a room is in use or fading out, from the slice's beginning on. Without one the other calls are
    /// unnecessary.
    var isPresent: Bool {
        // Patterns: `==` would need the type's metadata.
        @_noLocks get {
            if case .some = current { return true }
            if case .some = parting { return true }
            return false
        }
    }

    /// State of the switch, as any thread set it last, this one included.
    var isWanted: Bool {
        @_noLocks get { flag.pointee.isOn.load(ordering: .relaxed) }
        @_noLocks nonmutating set { flag.pointee.isOn.store(newValue, ordering: .relaxed) }
    }

    /// Begins a slice where the last one ended; `isOn`: the room is on; `anew`: the stream begins, with the head at
    /// this pose.
    @_noLocks
    mutating func beginSlice(headToStage: Quaternion, isOn: Bool, anew: Bool) {
        if let old = parting, anew || old.pointer.pointee.presence == 0 {
            exchange.retire(BankReference(address: old.address))
            parting = nil
        }
        // A pattern: `==` would need the type's metadata.
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

    /// Expected yaw rate of the head after the slice, radians per frame.
    var expectedTurn: Double { @_noLocks get { forecast.perFrame } }

    /// Sets the head's pose at the end of a fade, 1…slice/fade, in order, and (`later`) `lookahead` frames after the
    /// slice. A recorded yaw rate (`turn`, radians per frame) replaces `later`.
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

    /// Clears the rooms' inputs for the slice's frames from `position` on; `take` follows for every source.
    @_noLocks
    func prepare(at position: Int, count: Int) {
        current?.pointer.pointee.prepare(at: position, count: count)
        parting?.pointer.pointee.prepare(at: position, count: count)
    }

    /// Adds a source's frames from `position` on to the rooms, and scales them for the head-related path.
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

    /// Returns the gain of the rooms around a source, 0…1.
    @_noLocks
    func share(_ source: Int) -> Float {
        var share: Float = 0
        if let current { share += current.pointer.pointee.share(source) }
        if let parting { share += parting.pointer.pointee.share(source) }
        return min(1, share)
    }

    /// Adds frames of the slice to both ears.
    @_noLocks
    mutating func add(
        from position: Int, count: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        current?.pointer.pointee.add(from: position, count: count, left: left, right: right)
        parting?.pointer.pointee.add(from: position, count: count, left: left, right: right)
    }

    /// Ends a complete slice.
    @_noLocks
    mutating func endSlice() {
        current?.pointer.pointee.endSlice(expecting: forecast)
        parting?.pointer.pointee.endSlice(expecting: forecast)
    }
}
