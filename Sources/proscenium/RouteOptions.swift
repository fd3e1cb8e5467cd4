import ArgumentParser
import Session

/// Options that decide what happens when connections come and go.
struct RouteOptions: ParsableArguments {
    @Option(
        name: .customLong("on-route-loss"),
        help:
            "When the ears' ports are gone: patch (mute; go on when the same ports are connected again within 5 s, later by 'ctl resume'), mute (until 'ctl resume'), reconnect (mute until the same ports are back), continue or quit."
    )
    var onRouteLoss: RouteLossPolicy = .patch
}

extension RouteLossPolicy: ExpressibleByArgument {}
