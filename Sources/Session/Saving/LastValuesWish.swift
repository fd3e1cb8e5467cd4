/// Whether and how a session goes on with what was set when the last of its name played.
package struct LastValuesWish: Sendable {
    /// Where such values are kept.
    package var folder: String
    /// Whether it begins without them.
    package var isFresh: Bool
    /// Addresses that were said now, by options: they hold.
    package var said: Set<String>

    /// A wish.
    package init(folder: String, isFresh: Bool, said: Set<String>) {
        (self.folder, self.isFresh, self.said) = (folder, isFresh, said)
    }
}
