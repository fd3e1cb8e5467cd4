import Inserts

/// Index of a programme's chain among the plugin chains of its stage.
package struct ProgrammeInserts {
    let stage: UnsafeMutablePointer<InsertStage>
    let place: Int

    /// Makes a place. The chains must outlive the programme.
    package init(_ stage: UnsafeMutablePointer<InsertStage>, place: Int) {
        self.stage = stage
        self.place = place
    }
}
