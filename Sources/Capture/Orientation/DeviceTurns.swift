import Geometry

/// Orientations of the device at frames that a take may still begin with, in rising order of frames. One thread.
struct DeviceTurns {
    /// Orientation of the field in the world at a frame.
    typealias Turn = (frame: Int, fieldToWorld: Quaternion)

    /// Stored orientations, the oldest first.
    private(set) var turns: [Turn] = []
    private var most = 1024

    /// Stores an orientation; returns false, without storing it, unless its frame is later than all before. `oldest` is
    /// the first frame that a take may still begin with. Cost: constant on average.
    mutating func keep(_ turn: Turn, oldest: Int) -> Bool {
        guard turn.frame > turns.last?.frame ?? .min else { return false }
        turns.append(turn)
        if turns.count > most {
            let isKept = turns.firstIndex { $0.frame >= oldest } ?? turns.count
            // One orientation before `oldest` stays: it is the orientation at the take's beginning.
            turns.removeFirst(max(0, isKept - 1))
            most = max(1024, 2 * turns.count)
        }
        return true
    }
}
