import Signal

/// Data of the last seconds with which the next take may begin: sound, orientations of the device, and remarks. Must be
/// used by one thread at a time.
struct TakeLead: ~Copyable {
    /// Marker of an event that occurred while no take was growing. If the pre-roll of the next take contains the frame,
    /// that take gets the marker.
    struct Remark {
        var name: String
        var frame: Int
        var lostFrames: Int
    }

    private var preRoll: PreRoll
    /// Output and safety track of a call.
    private let both = PlanarBlock(channels: 12, frames: CaptureChain.mostFrames)
    private var deviceTurns = DeviceTurns()
    private var remarks: [Remark] = []

    /// Creates an empty lead with a capacity of `seconds` of sound.
    init(seconds: Double, sampleRate: SampleRate) {
        preRoll = PreRoll(channels: 12, frames: Int(seconds * sampleRate.hertz))
    }

    /// Number of stored frames of sound.
    var count: Int { preRoll.count }

    /// Stored orientations, the oldest first.
    var turns: [DeviceTurns.Turn] { deviceTurns.turns }

    /// Stores the first `frames` frames of the chain's output.
    mutating func keep(_ chain: CaptureChain, frames: Int) {
        for channel in 0..<6 {
            Samples.copy(chain.output[channel], to: both[channel], count: frames)
            Samples.copy(chain.safety[channel], to: both[6 + channel], count: frames)
        }
        preRoll.keep(both, frames: frames)
    }

    /// Stores an orientation if its frame is later than those of all stored ones; otherwise returns false. `processed`:
    /// frames output by the chain.
    mutating func keep(_ turn: DeviceTurns.Turn, processed: Int) -> Bool {
        deviceTurns.keep(turn, oldest: processed - preRoll.capacity)
    }

    /// Stores a remark, and removes those that no take can contain any more. `processed`: frames output by the chain.
    mutating func keep(_ remark: Remark, processed: Int) {
        let oldest = processed - preRoll.capacity
        remarks.removeAll { $0.frame < oldest }
        remarks.append(remark)
    }

    /// Moves up to `limit` of the oldest frames into a block: the six channels of the output, then those of the safety
    /// track. Returns their number.
    mutating func takeSound(into block: borrowing PlanarBlock, limit: Int) -> Int {
        preRoll.take(into: block, limit: limit)
    }

    /// Removes and returns all remarks.
    mutating func takeRemarks() -> [Remark] {
        let taken = remarks
        remarks = []
        return taken
    }
}
