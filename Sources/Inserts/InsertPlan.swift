import Signal

/// One insert in a plan: how it takes part before the change the plan brings, and after it.
struct InsertEntry: BitwiseCopyable {
    let node: ThreadOwned<InsertNode>
    let change: InsertChange
}

/// The chain of one place in a plan, and what makes it as late as the others.
struct InsertSlot: BitwiseCopyable {
    /// The inserts, in order, of the chains before and after the change.
    let entries: ConstantMemory<InsertEntry>
    let count: Int
    /// Channels of the place.
    let channels: Int
    /// Frames by which the place fades later than those whose sound has the longest way to the ears.
    let lag: Int
    /// What delays the sound before and after the change; nil: nothing. One line only where neither it nor the chain
    /// changes: the ways before and after pass a line each.
    let fromLine: ThreadOwned<DelayLine>?
    let fromDelay: Int
    let toLine: ThreadOwned<DelayLine>?
    let toDelay: Int
}

/// All chains of a stage, and the change from those before: what the audio thread takes over as one.
///
/// Immutable; made and freed by `InsertRenderer`.
struct InsertPlan: BitwiseCopyable {
    /// Counts plans, from 1 on.
    let serial: Int
    let slots: ConstantMemory<InsertSlot>
    let count: Int
    /// Frames for which what is new runs unheard.
    let priming: Int
    /// The longest lag of a place.
    let longestLag: Int
    /// Whether the change is heard: otherwise the plan is in force as it begins.
    let changes: Bool
    /// Whether it has no insert at all, before or after.
    let isEmpty: Bool
    /// The same of what lies before the ears.
    let isClearBeforeEars: Bool
    /// Frames by which chains on the way to the ears make the sound late, before and after.
    let fromWay: Int
    let toWay: Int
    /// Frames by which chains after the ears do.
    let fromEars: Int
    let toEars: Int
}
