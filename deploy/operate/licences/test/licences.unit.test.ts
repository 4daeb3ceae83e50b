import t from 'tap';
import { billOfMaterials } from '#deploy/operate/licences/inventory.ts';
import { isPermitted, licenceOf } from '#deploy/operate/licences/licences.ts';

void t.test('every package that is shipped has a permitted licence', async (t) => {
  const { components } = await billOfMaterials();
  const names = new Set(components.map(({ name }) => name));
  for (const shipped of ['fastify', 'uWebSockets.js', 'chdb', 'react', 'maplibre-gl'])
    t.ok(names.has(shipped), shipped);
  for (const tool of ['tap', 'oxlint', 'vite', 'playwright-core']) t.notOk(names.has(tool), tool);
  for (const component of components) {
    const licence = licenceOf(component);
    t.ok(licence !== null && isPermitted(licence), `${component.name}: ${licence}`);
  }
});

void t.test('licences with duties for our own code are refused', async (t) => {
  for (const licence of ['GPL-3.0-only', 'AGPL-3.0-only', 'MPL-2.0', 'MIT AND GPL-2.0-only', 'SEE LICENSE'])
    t.notOk(isPermitted(licence), licence);
  for (const licence of ['MIT', '(MIT OR GPL-2.0-only)', 'MIT AND ISC']) t.ok(isPermitted(licence), licence);
});
