"""Checks the descriptions of plugins in the panel that come late or not at all."""
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
