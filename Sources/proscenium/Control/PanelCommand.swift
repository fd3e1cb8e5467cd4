import ArgumentParser
import Control
import Desk
import Foundation
import Loading
import Session

/// `proscenium panel`: opens a running session's panel.
struct PanelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "panel", abstract: "Opens a running session's panel in the browser.",
        discussion: """
            Example: proscenium run --layout 5.1 --panel 8150, and in another terminal: proscenium panel

            The panel is a page that the session serves (run --panel). It shows the stage with the head in it, meters and \
            trackers, and sets every parameter. Any number of browsers can have it open.
            """)
    @OptionGroup var port: ControlPort
    @Option(help: ArgumentHelp("The session's token, if it has one.", valueName: "word")) var token: String?
    @Flag(help: "Print the panel's address instead of opening it.") var print = false

    func run() async throws {
        let status = try SessionStatus(json: try await ControlClient.request(.status, at: try port.address()))
        guard let page = status.panel, page.hasPrefix("http") else {
            throw SessionError(
                .input, "the session '\(status.client)' serves no panel; start it with --panel PORT, for instance 8150")
        }
        let address =
            page
            + (token.map { "#token=\($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? $0)" } ?? "")
        guard !print else { return Swift.print(address) }
        do {
            try Self.open(address)
        } catch {
            throw SessionError(.environment, "this program cannot open a browser; open \(address) in one")
        }
    }

    /// Opens an address in the desktop's browser with `xdg-open`, and waits until `xdg-open` ends. Throws if it fails.
    private static func open(_ address: String) throws {
        let opener = Process()
        opener.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        opener.arguments = ["xdg-open", address]
        (opener.standardOutput, opener.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try opener.run()
        opener.waitUntilExit()
        guard opener.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }
}
