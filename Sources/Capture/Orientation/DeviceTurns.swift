import Geometry

/// How a device was turned at frames that a take may still begin with, rising. One thread.
struct DeviceTurns {
    /// How the field was turned at a frame.
    typealias Turn = (frame: Int, fieldToWorld: Quaternion)

    /// Those that are kept, the oldest first.
    private(set) var turns: [Turn] = []
    private var most = 1024

    /// Keeps a turn of a later frame than all before; false for others. `oldest` is the first frame that a take may
    /// still begin with. Cost: constant, over many.
    mutating func keep(_ turn: Turn, oldest: Int) -> Bool {
        guard turn.frame > turns.last?.frame ?? .min else { return false }
        turns.append(turn)
        if turns.count > most {
            let isKept = turns.firstIndex { $0.frame >= oldest } ?? turns.count
            // One from before says how it was turned at the beginning.
            turns.removeFirst(max(0, isKept - 1))
            most = max(1024, 2 * turns.count)
        }
        return true
    }
}
