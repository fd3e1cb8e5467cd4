import ArgumentParser
import Session

/// What `ctl` asks of inputs.
extension ControlCommand {
    /// Which input is meant.
    struct Input: ParsableArguments {
        @Option(help: ArgumentHelp("Only this input ('main' is the one of --layout); else all.", valueName: "name"))
        var input: String?
    }

    struct Mode: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Chooses how the stage meets the head: tracked, fixed or off (two channels).",
            discussion: "Example: proscenium ctl mode fixed")
        @OptionGroup var port: Port
        @OptionGroup var meant: Input
        @Argument(help: "off, fixed or tracked.") var mode: ProgrammeSettings.Mode

        var command: SessionCommand { .programme(meant.input, .mode(mode)) }
    }

    struct Spatialize: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Chooses what is placed on the stage: none, stereo, multichannel or all.",
            discussion: "Example: proscenium ctl spatialize multichannel")
        @OptionGroup var port: Port
        @OptionGroup var meant: Input
        @Argument(help: "none, stereo (and mono), multichannel or all.") var what: ProgrammeSettings.Spatialization

        var command: SessionCommand { .programme(meant.input, .spatialize(what)) }
    }

    struct Rendition: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Chooses which rendition plays: auto (multichannel while it is there) or one of them.",
            discussion: "Example: proscenium ctl rendition stereo")
        @OptionGroup var port: Port
        @OptionGroup var meant: Input
        @Argument(help: "auto, multichannel or stereo.") var which: RenditionWord

        var command: SessionCommand { .programme(meant.input, .rendition(which)) }
    }

    struct Upmix: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Opens stereo into the stage, leaves it two loudspeakers, or says how far it opens.",
            discussion: "Examples: proscenium ctl upmix off; proscenium ctl upmix 1,0.3,0.8")
        @OptionGroup var port: Port
        @OptionGroup var meant: Input
        @Argument(help: ArgumentHelp("on, off, or three amounts 0 to 1.", valueName: "on|off|centre,width,ambience"))
        var what: String

        private var amounts: [Double]? {
            let parts = what.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? -1 }
            return parts.count == 3 && parts.allSatisfy((0...1).contains) ? parts : nil
        }

        func validate() throws {
            guard what == "on" || what == "off" || amounts != nil else {
                throw ValidationError("upmix takes on, off, or three amounts as 1,0,1; not '\(what)'")
            }
        }

        var command: SessionCommand {
            guard let amounts else { return .programme(meant.input, .upmix(what == "on")) }
            return .programme(
                meant.input, .opening(centre: amounts[0], width: amounts[1], ambience: amounts[2]))
        }
    }

    struct Level: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Sets the level of an input, or of all, in dB.",
            discussion: "Example: proscenium ctl level --input talk -- -6")
        @OptionGroup var port: Port
        @OptionGroup var meant: Input
        @Argument(help: "dB, -120 to 40, or 'off'.") var level: String

        private var decibels: Double? {
            level == "off" ? -.infinity : Double(level).flatMap { (-120...40).contains($0) ? $0 : nil }
        }

        func validate() throws {
            guard decibels != nil else {
                throw ValidationError("a level lies between -120 and 40 dB, or is 'off'; not '\(level)'")
            }
        }

        var command: SessionCommand { .programme(meant.input, .level(decibels ?? 0)) }
    }

    struct Width: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Spreads each source of an input, or of all, over an angle; it grows or shrinks to that.",
            discussion: """
                Example: proscenium ctl width --input choir 60

                The angle is that of both sides together, as the width of the Audio Definition Model. Loudspeakers of a \
                layout that says more are not made narrower.
                """)
        @OptionGroup var port: Port
        @OptionGroup var meant: Input
        @Argument(help: "Degrees, 0 to 180.") var width: Double

        func validate() throws {
            guard (0...180).contains(width) else {
                throw ValidationError("a width lies between 0 and 180 degrees, not \(width)")
            }
        }

        var command: SessionCommand { .programme(meant.input, .width(width)) }
    }

    struct Place: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Turns an input's front to a place on the stage; the turn is a motion.",
            discussion: "Example: proscenium ctl place --input talk 30")
        @OptionGroup var port: Port
        @OptionGroup var meant: Input
        @Argument(help: "Degrees, positive left.") var yaw: Double
        @Argument(help: "Degrees, positive up.") var pitch: Double = 0
        @Argument(help: "Degrees, positive right side down.") var roll: Double = 0

        func validate() throws {
            guard [yaw, pitch, roll].allSatisfy((-360...360).contains) else {
                throw ValidationError("angles lie between -360 and 360 degrees")
            }
        }

        var command: SessionCommand { .programme(meant.input, .place(yaw: yaw, pitch: pitch, roll: roll)) }
    }
}
