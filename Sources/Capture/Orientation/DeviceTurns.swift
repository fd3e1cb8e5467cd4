import Geometry

/// Recent orientations of the device, the oldest first. They reach back to the earliest frame with which a take may
/// still begin. Must be used by one thread at a time.
struct DeviceTurns {
    /// Orientation of the field in the world at a frame.
    typealias Turn = (frame: Int, fieldToWorld: Quaternion)

    /// Stored orientations, the oldest first.
    private(set) var turns: [Turn] = []
    private var most = 1024

    /// Stores an orientation if its frame is later than those of all stored ones; otherwise returns false. `oldest`:
    /// first frame with which a take may still begin. Cost: constant on average.
    mutating func keep(_ turn: Turn, oldest: Int) -> Bool {
        guard turn.frame > turns.last?.frame ?? .min else { return false }
        turns.append(turn)
        if turns.count > most {
            let isKept = turns.firstIndex { $0.frame >= oldest } ?? turns.count
            // One orientation before `oldest` is kept, because it applies at the beginning of the take.
            turns.removeFirst(max(0, isKept - 1))
            most = max(1024, 2 * turns.count)
        }
        return true
    }
}
