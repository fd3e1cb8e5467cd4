import ArgumentParser
import Control

/// Options of a measurement that can be followed and controlled by a page in a browser.
struct MeasurementPanelOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve a page that shows the measurement and controls it.", valueName: "[address:]port"))
    var panel: String?
    @Option(
        help: ArgumentHelp(
            "Word that a client on another machine must send. Without it, the page is open to this machine alone.",
            valueName: "word"))
    var token: String?

    func validate() throws {
        guard panel == nil || panel == "none" || address != nil else {
            throw ValidationError("--panel takes [ADDRESS:]PORT or none, not '\(panel ?? "")'")
        }
        if let token, token.isEmpty { throw ValidationError("--token takes a word") }
    }

    /// Address of the page; nil without one.
    var address: ControlAddress? { panel.flatMap { $0 == "none" ? nil : ControlAddress($0) } }

    /// Serves the page of a panel, if the measurement has one, and prints its URL.
    func open(_ panel: MeasurementPanel?) async throws {
        guard let panel, let address else { return }
        let page = try await panel.open(at: address)
        say("panel: \(page)" + (token == nil ? "" : "#token=WORD"))
    }
}
