import Signal

/// One insert in a plan, with its state before and after the plan's change.
struct InsertEntry: BitwiseCopyable {
    let node: ThreadOwned<InsertNode>
    let change: InsertChange
}

/// Chain of one place in a plan, with the delay that aligns the place with the other places.
struct InsertSlot: BitwiseCopyable {
    /// Inserts of the chains before and after the change, in order.
    let entries: ConstantMemory<InsertEntry>
    let count: Int
    /// Number of channels of the place.
    let channels: Int
    /// Frames by which the place fades later than the places of the programmes; see `InsertPlaces.lags`.
    let lag: Int
    /// Delay line before the change; nil without a delay. It is the same as `toLine` only if neither the delay nor the
    /// chain changes. Otherwise each path has its own line.
    let fromLine: ThreadOwned<DelayLine>?
    /// Delay before the change, frames.
    let fromDelay: Int
    /// Delay line after the change; nil without a delay.
    let toLine: ThreadOwned<DelayLine>?
    /// Delay after the change, frames.
    let toDelay: Int
}

/// All plugin chains, and the change from the previous chains. The audio thread receives a plan as a whole.
///
/// A plan is immutable. `InsertRenderer` makes and frees it.
struct InsertPlan: BitwiseCopyable {
    /// Number of the plan, counted from 1; 0 for the initial, empty plan.
    let serial: Int
    /// `[place]`: chain of the place.
    let slots: ConstantMemory<InsertSlot>
    let count: Int
    /// Frames for which new inserts run unheard.
    let priming: Int
    /// Longest lag of a place, frames.
    let longestLag: Int
    /// Whether a chain or a delay changes. Otherwise the plan is in force immediately.
    let changes: Bool
    /// Whether no chain has an insert, before or after the change.
    let isEmpty: Bool
    /// Whether no chain before the ears has an insert, before or after the change.
    let isClearBeforeEars: Bool
    /// Latency of the chains up to the ears, before the change, frames.
    let fromWay: Int
    /// Latency of the chains up to the ears, after the change, frames.
    let toWay: Int
    /// Latency of the ears' chain before the change, frames.
    let fromEars: Int
    /// Latency of the ears' chain after the change, frames.
    let toEars: Int
}
