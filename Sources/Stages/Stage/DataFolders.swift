import Foundation
import HRTF

/// Where the program's own data lies: next to an installed binary, or in the source tree it was built in.
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

    /// The sets on this machine: the usual places, and `share` first.
    package static var library: HRTFLibrary {
        var library = HRTFLibrary.standard()
        if let share { library.folders.insert(share + "/HRTF", at: 0) }
        return library
    }

    /// Names of the sets that a session can be asked for, the default first. Reads the catalogue; a millisecond.
    package static var setNames: [String] {
        let sets = (try? library.sets()) ?? []
        return ["default"] + sets.filter { $0.path != nil }.map(\.set.name)
    }

    private static func holdsData(_ folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent("HRTF/catalogue.json").path)
    }
}
