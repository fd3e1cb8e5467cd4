import Inserts

/// Plugin chains of a stage, and the index of a programme's chain among them.
package struct ProgrammeInserts {
    let stage: UnsafeMutablePointer<InsertStage>
    let place: Int

    /// Refers to the chain at index `place` of `stage`. The chains must outlive the programme.
    package init(_ stage: UnsafeMutablePointer<InsertStage>, place: Int) {
        self.stage = stage
        self.place = place
    }
}
