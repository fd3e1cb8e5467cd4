import Glibc

/// Faults of a bundle as a whole, which are checked before its plugins.
enum LV2BundleFaults {
    /// Returns the fault of a bundle; nil if it is a folder with a valid manifest that is not empty.
    static func fault(of bundle: String) -> String? {
        var status = stat()
        guard stat(bundle, &status) == 0 else { return "there is no such folder" }
        guard status.st_mode & S_IFMT == S_IFDIR else { return "it is not a folder" }
        let manifest = bundle + "/manifest.ttl"
        guard access(manifest, R_OK) == 0 else { return "its manifest.ttl cannot be read" }
        if let fault = TurtleFile.fault(of: manifest) { return fault }
        return TurtleFile.statements(of: manifest) == 0 ? "its manifest.ttl has no statements" : nil
    }
}
