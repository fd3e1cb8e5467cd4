/// Choice of a headphone equalisation.
package struct HeadphoneSettings: Hashable, Sendable {
    /// `none`, a measured person's name, or a file's path.
    package var file: String

    /// Creates the choice of a file, or of none.
    package init(file: String = "none") { self.file = file }

    /// Whether no equalisation is selected.
    package var isNone: Bool { file == "none" }
}
