import Signal

/// One insert in a plan: its state before and after the plan's change.
struct InsertEntry: BitwiseCopyable {
    let node: ThreadOwned<InsertNode>
    let change: InsertChange
}

/// Chain of one place in a plan, and the delay that aligns it with the others.
struct InsertSlot: BitwiseCopyable {
    /// Inserts of the chains before and after the change, in order.
    let entries: ConstantMemory<InsertEntry>
    let count: Int
    /// Channels of the place.
    let channels: Int
    /// Frames by which the place fades later than the places whose sound has the longest way to the ears.
    let lag: Int
    /// Delay lines before and after the change; nil without a delay. Both are the same line only where neither it nor
    /// the chain changes; otherwise each path has its own.
    let fromLine: ThreadOwned<DelayLine>?
    let fromDelay: Int
    let toLine: ThreadOwned<DelayLine>?
    let toDelay: Int
}

/// All chains of a stage, and the change from the previous ones; the audio thread takes a plan as a whole.
///
/// Immutable; made and freed by `InsertRenderer`.
struct InsertPlan: BitwiseCopyable {
    /// Number of the plan, from 1 on; 0 for the initial, empty one.
    let serial: Int
    let slots: ConstantMemory<InsertSlot>
    let count: Int
    /// Frames for which new inserts run unheard.
    let priming: Int
    /// Longest lag of a place, frames.
    let longestLag: Int
    /// Whether the change is audible; otherwise the plan is in force at once.
    let changes: Bool
    /// Whether there is no insert at all, before or after.
    let isEmpty: Bool
    /// Whether there is no insert before the ears, before or after.
    let isClearBeforeEars: Bool
    /// Latency of the chains on the way to the ears, before and after, frames.
    let fromWay: Int
    let toWay: Int
    /// Latency of the chains after the ears, before and after, frames.
    let fromEars: Int
    let toEars: Int
}
