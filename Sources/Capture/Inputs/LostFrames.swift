/// Count of the frames that were lost at the inputs of a capture. It continues when the JACK server was restarted and
/// the inputs are opened again.
struct LostFrames {
    /// Frames that have been reported.
    private var told: Int
    /// Frames lost at inputs whose server is gone.
    private var former = 0
    /// Whether the frames lost at the present inputs are in `former`.
    private var isClosed = false

    /// Begins the count. Frames that the inputs have already lost are not reported.
    init(before lost: Int) { told = lost }

    /// Ends the count of inputs whose server is gone, with `lost` frames. Returns false, without effect, if the count
    /// has ended already.
    mutating func close(_ lost: Int) -> Bool {
        guard !isClosed else { return false }
        former += lost
        isClosed = true
        return true
    }

    /// Begins the count of other inputs.
    mutating func reopen() { isClosed = false }

    /// Returns how many frames were lost since the last call. `lost`: number of all frames lost at the present inputs.
    mutating func news(_ lost: Int) -> Int {
        let all = former + (isClosed ? 0 : lost)
        guard all > told else { return 0 }
        defer { told = all }
        return all - told
    }
}
