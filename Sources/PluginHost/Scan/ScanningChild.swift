import Foundation
import Processes

/// The child's side of a scan: describes bundles one after the other, and says before each which it begins.
package enum ScanningChild {
    /// What precedes the path of the bundle that begins.
    static let beginning = "begin "

    /// Describes bundles, and says what it found.
    package static func describe(_ bundles: [String], by backend: any PluginBackend, to parent: ParentLine) {
        for bundle in bundles {
            parent.begin()
            parent.say(beginning + bundle)
            let record: BundleRecord
            do throws(PluginError) {
                let plugins = try backend.describe(bundle: bundle)
                record = BundleRecord(
                    bundle: bundle, plugins: plugins, presetOwners: backend.presetOwners(of: bundle),
                    words: parent.words)
            } catch {
                let reason = if case .badBundle(_, let reason) = error { reason } else { error.description }
                record = BundleRecord(
                    bundle: bundle, fault: BundleFault(kind: .wrong, reason: reason), words: parent.words)
            }
            for line in record.allLines { parent.say(String(decoding: line, as: UTF8.self)) }
        }
    }
}
