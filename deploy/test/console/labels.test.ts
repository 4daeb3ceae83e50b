import t from 'tap';
import { addLocation } from '#api/test/support/records.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { accessibilityFaults, faultsInBothThemes } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

void t.test(
  'labels of a location have the address of each connector, and print without the frame',
  async (t) => {
    const console = await startConsole(t);
    const { sql } = console.stores;
    const location = await addLocation(sql, console.network.id, { name: 'Quay' });
    const { id, uid } = await seedCharger(sql, console.network.id, { connectors: 2 });
    await sql`update chargers set location_id = ${location.id} where id = ${id}`;
    const { page, faults } = await console.open(`/fleet/labels?location=${location.uuid}`);
    await page.getByText('The network has no address for QR codes.').waitFor();
    t.strictSame(await accessibilityFaults(page), []);

    await sql`
    update networks set charging_url = 'https://charge.example/{connectorId}?n={connectorNumber}'
    where id = ${console.network.id}`;
    await page.reload();
    const code = page.getByRole('img', { name: `QR code of connector 2 of ${uid}` });
    await code.waitFor();
    const [second] = await sql<
      { uuid: string }[]
    >`select uuid from connectors where charger_id = ${id} and number = 2`;
    await page.getByText(`https://charge.example/${second?.uuid}?n=2`).waitFor();
    t.equal(
      await page
        .getByRole('listitem')
        .filter({ has: page.getByRole('img') })
        .count(),
      2,
    );
    t.strictSame(await faultsInBothThemes(page), []);

    await page.emulateMedia({ media: 'print' });
    t.ok(await code.isVisible());
    t.equal(await page.getByRole('navigation').first().isVisible(), false);
    t.equal(await page.getByRole('heading', { name: 'Labels with QR codes' }).isVisible(), false);
    t.strictSame(faults, []);
  },
);
