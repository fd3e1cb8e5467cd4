extension Array {
    /// The smallest element of a sorted, non-empty array that at least `share` (0…1) of all elements do not exceed: the
    /// nearest rank, never a value that was not measured.
    func quantile(_ share: Double) -> Element {
        self[Swift.min(count - 1, Swift.max(0, Int((share * Double(count)).rounded(.up)) - 1))]
    }
}
