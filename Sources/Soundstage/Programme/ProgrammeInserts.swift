import Inserts

/// A programme's place among the chains of plugins of its stage.
package struct ProgrammeInserts {
    let stage: UnsafeMutablePointer<InsertStage>
    let place: Int

    /// A place; the chains outlive the programme.
    package init(_ stage: UnsafeMutablePointer<InsertStage>, place: Int) {
        self.stage = stage
        self.place = place
    }
}
