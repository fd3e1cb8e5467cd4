"""Checks what the panel keeps while its elements are created again: descriptions of plugins that come late or not at all,
and clip lights."""
from takes import Complaint


def described(browser):
    """Checks that a plugin's description that was not answered is requested again, and that a newer list stays."""
    found = browser.run("""
        const { Plugins } = await import('/plugins.js'), box = document.createElement('section');
        let answers = [];
        const session = { value: () => 0.5, ask: () => new Promise((resolve, reject) => answers.push({ resolve, reject })) };
        const plugin = name => ({ name, place: 'ears', position: 0, identifier: `urn:${name}`, title: name, latency: 0, median: 1, p99: 1, controls: { gain: 0.5 } });
        const about = { presets: [], controls: [{ symbol: 'gain', name: 'Gain', kind: 'number', range: [0, 1], choices: [] }] };
        const plugins = new Plugins(box, session), faders = () => box.querySelectorAll('[data-plugin] input[type="range"]').length;
        let shown = plugins.show([plugin('one')]);
        answers.shift().reject(new Error('closed'));
        await shown;
        const plain = faders();
        shown = plugins.show([plugin('one')]);
        answers.shift()?.resolve(about);
        await shown;
        const again = faders();
        shown = plugins.show([plugin('two')]);
        await plugins.show([plugin('one')]);
        answers.shift().resolve(about);
        await shown;
        return { plain, again, names: [...box.querySelectorAll('[data-plugin]')].map(each => each.dataset.plugin) };""")
    if found != {"plain": 0, "again": 1, "names": ["one"]}:
        raise Complaint(f"plugins whose description came late: {found}")
    return "a description that was not answered is requested again; a newer list stays"


def lit(browser):
    """Checks that a clip light stays lit when the meters are created again, until it is cleared."""
    found = browser.run("""
        const { Meters } = await import('/meters.js'), boxes = [0, 1, 2].map(() => document.createElement('dl'));
        const input = (name, meters) => ({ name, meters, loudspeakers: meters.map((meter, index) => ({ name: ['FL', 'FR'][index], meter })) });
        const meters = new Meters(...boxes), levels = { ears: [-20, 0], inputs: [-20, -20, 0], momentary: -20, shortTerm: -20, reduction: 0, load: 0, xruns: 0, skipped: 0 };
        const lights = () => [...boxes[0].querySelectorAll('.light.on')].map(each => each.dataset.key);
        meters.lay({ inputs: [input('main', [0, 1]), input('music', [2])] });
        meters.show(levels);
        const before = lights();
        meters.lay({ inputs: [input('music', [0]), input('main', [1, 2])] });
        const after = lights();
        meters.clearClips();
        meters.lay({ inputs: [input('music', [0])] });
        return { before, after, kept: after.length === 2 && after.every(each => before.includes(each)), cleared: lights() };""")
    if len(found["before"]) != 2 or not found["kept"] or found["cleared"]:
        raise Complaint(f"clip lights: {found}")
    return f"{' and '.join(found['after'])} stay lit until they are cleared"
