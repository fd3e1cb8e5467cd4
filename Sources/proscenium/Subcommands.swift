import ArgumentParser
import Racks

extension Proscenium {
    /// The commands, in the order of `--help`.
    static let subcommands: [any ParsableCommand.Type] = [
        RunCommand.self, CaptureCommand.self, RecoverCommand.self, InfoCommand.self, RenderCommand.self,
        ProcessCommand.self,
        UpmixCommand.self, PreviewCommand.self,
        BakeCommand.self, LoudnessCommand.self, TrackCommand.self, TrackerCommand.self, SOFACommand.self,
        HRTFCommand.self, RoomCommand.self, HeadphonesCommand.self, PluginCommand.self,
        ControlCommand.self, StatusCommand.self, WatchCommand.self, PanelCommand.self, DoctorCommand.self,
        DesktopCommand.self,
        MeasureCommand.self,
        FuseCommand.self,
        DemoCommand.self,
    ]
}
