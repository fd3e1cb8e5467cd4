import Inserts
import PluginHost
import Signal

/// A plugin of a Debian package, for plugin cells.
struct PluginChoice {
    /// Name in ids.
    let name: String
    let identifier: String
    /// Name of the bundle's folder.
    let bundle: String
    /// Name of the Debian package.
    let package: String

    static let all = [
        PluginChoice(
            name: "amp", identifier: "http://lv2plug.in/plugins/eg-amp", bundle: "eg-amp.lv2", package: "lv2-examples"),
        PluginChoice(
            name: "svf", identifier: "http://plugin.org.uk/swh-plugins/svf", bundle: "svf-swh.lv2",
            package: "swh-lv2"),
        PluginChoice(
            name: "sc4", identifier: "http://plugin.org.uk/swh-plugins/sc4", bundle: "sc4-swh.lv2", package: "swh-lv2"),
        PluginChoice(
            name: "dpl", identifier: "http://gareus.org/oss/lv2/dpl#stereo", bundle: "dpl.lv2", package: "x42-plugins"),
        PluginChoice(
            name: "fil4", identifier: "http://gareus.org/oss/lv2/fil4#stereo", bundle: "fil4.lv2",
            package: "x42-plugins"),
    ]

    /// The limiter: two channels, latency, event ports.
    static var limiter: PluginChoice { all[3] }

    /// Returns the description of the plugin from its bundle.
    func described() throws -> PluginDescription {
        let backend = LV2Backend()
        for folder in backend.bundles() where folder.hasSuffix("/" + bundle) {
            let found = try backend.describe(bundle: folder).first { $0.identifier == identifier }
            if let found { return found }
        }
        throw Refusal("\(identifier) is not installed (Debian: apt-get install \(package))")
    }
}

/// Task of a plugin cell: noise in some channels, slice by slice.
final class PluginWork {
    let plugin: PluginDescription
    let channels: Int
    let slice: Int
    /// Input and output channels of each instance, by the product's own rule; the peer uses the same.
    let routing: InsertRouting
    let programme: Programme
    let sampleRate = SampleRate.studio

    init(_ choice: PluginChoice, channels: Int, slice: Int) throws {
        plugin = try choice.described()
        self.channels = channels
        self.slice = slice
        let routing = InsertRouting(
            channels: channels, pluginInputs: plugin.audioInputs.count, pluginOutputs: plugin.audioOutputs.count)
        guard let routing else { throw Refusal("\(choice.identifier) does not fit \(channels) channels") }
        self.routing = routing
        programme = Programme(channels: channels, period: slice)
    }

    /// Number of instances for the channels.
    var instances: Int { routing.outputs.count }

    /// Duration of a slice, seconds.
    var seconds: Double { sampleRate.seconds(frames: slice) }

    /// Copies the samples of a step to `rows`.
    func copy(step: Int, to rows: UnsafePointer<UnsafeMutablePointer<Float>>) {
        let block = programme.block(step)
        for channel in 0..<channels { Samples.copy(block[channel], to: rows[channel], count: slice) }
    }

    /// Conditions that all plugin cells state.
    var facts: Facts {
        Facts(
            sources: channels, period: slice, slice: slice, sampleRate: sampleRate.hertz, filters: plugin.identifier,
            instances: instances)
    }
}
