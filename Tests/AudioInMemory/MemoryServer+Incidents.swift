import Signal
import Synchronization

@testable import AudioIO

/// Incidents of a server. Each is triggered by a call.
extension MemoryServer {
    /// Changes the period.
    package func setPeriod(_ frames: Int) {
        graph.withLock { graph in
            graph.period = frames
            let limit = StageCycle.maximumFrames
            for stage in graph.stages {
                stage.tell(
                    frames > limit ? .periodTooLong(frames: frames, limit: limit) : .periodChanged(frames: frames))
            }
        }
    }

    /// Changes the sample rate. Stages that were opened before stay silent.
    package func setRate(_ hertz: Double) {
        graph.withLock { graph in
            graph.hertz = hertz
            for stage in graph.stages {
                stage.cycles.isSilenced = true
                stage.tell(.rateChanged(hertz: hertz))
            }
        }
    }

    /// Starts or ends freewheel.
    package func setFreewheel(_ begins: Bool) {
        graph.withLock { graph in
            graph.isFreewheeling = begins
            for stage in graph.stages {
                if stage.routes.watch.freewheel(begins) { stage.loseRoute() }
                stage.tell(.freewheel(begins))
                stage.tellChanges()
            }
        }
    }

    /// Skips `frames` frames: the clock advances without a cycle.
    package func loseFrames(_ frames: Int) {
        graph.withLock { graph in
            graph.advance(frames)
            for stage in graph.stages {
                stage.skip(frames)
                let delay = Double(frames) / graph.hertz * 1e6
                stage.tell(.xrun(total: stage.losses.xruns, delayMicroseconds: delay))
            }
        }
    }

    /// Sets the errors that are thrown from now on.
    package func refuse(_ refusals: Refusals) { graph.withLock { $0.refusals = refusals } }

    /// Stops all cycles. Pending and later start requests time out. With `hangs` false, cycles run again.
    package func hang(_ hangs: Bool = true) {
        graph.withLock { graph in
            graph.health = hangs ? .hung : .running
            if hangs { for stage in graph.stages { stage.fail(.startTimedOut) } }
        }
    }

    /// Shuts the server down with a reason.
    package func shutDown(reason: String = "it shut down") {
        graph.withLock { graph in
            graph.health = .gone
            for stage in graph.stages {
                stage.fail(.serverGone)
                stage.tell(.serverLost(reason: reason))
            }
        }
    }

    /// Restarts a lost server with a sample rate and a period, with its sound card and no other client.
    package func comeBack(sampleRate: SampleRate = .studio, period: Int = 256) {
        graph.withLock { graph in
            for client in graph.clients where client != "system" { graph.remove(client) }
            graph.arrived = graph.arrived.filter { $0.key.hasPrefix("system:") }
            (graph.links, graph.programmes) = ([], [:])
            (graph.hertz, graph.period, graph.frame) = (sampleRate.hertz, period, 0)
            graph.health = .running
        }
    }

    /// Sends an event to a stage. It is for events that no other call here causes, such as a fault of a disk.
    package func tell(_ event: JACKEvent, to client: String) {
        graph.withLock { graph in
            for stage in graph.stages where stage.name == client { stage.tell(event) }
        }
    }
}
