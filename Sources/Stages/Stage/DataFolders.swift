import Foundation
import HRTF

/// Folders of the program's own data: next to an installed binary, or in its source tree.
package enum DataFolders {
    /// The folder that holds `HRTF/`, `Scripts/` and `Examples/`: `$PROSCENIUM_SHARE`, else `../share/proscenium`
    /// beside the binary, else the nearest folder above the binary with an `HRTF/catalogue.json`. Nil if there is none.
    package static let share: String? = {
        if let named = ProcessInfo.processInfo.environment["PROSCENIUM_SHARE"], !named.isEmpty { return named }
        guard let binary = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        var folder = URL(fileURLWithPath: binary).deletingLastPathComponent()
        let installed = folder.deletingLastPathComponent().appendingPathComponent("share/proscenium")
        if holdsData(installed) { return installed.path }
        while folder.path != "/" {
            if holdsData(folder) { return folder.path }
            folder.deleteLastPathComponent()
        }
        return nil
    }()

    /// HRTF sets on this machine: `share` first, then the usual folders.
    package static var library: HRTFLibrary {
        var library = HRTFLibrary.standard()
        if let share { library.folders.insert(share + "/HRTF", at: 0) }
        return library
    }

    /// Names of the available HRTF sets, the default first. Reads the catalogue; takes a millisecond.
    package static var setNames: [String] {
        let sets = (try? library.sets()) ?? []
        return ["default"] + sets.filter { $0.path != nil }.map(\.set.name)
    }

    private static func holdsData(_ folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent("HRTF/catalogue.json").path)
    }
}
