import { readFile } from 'node:fs/promises';
import t from 'tap';
import { ensureNetwork } from '#shared/postgres/fleet/networks.statements.ts';
import { testStores } from '#shared/testing/stores.ts';

const migration = new URL('../migrations/0420_ocpi_partner_parties.sql', import.meta.url);

void t.test('the migration grants partners the parties that they registered with', async (t) => {
  const { sql } = await testStores(t, { fresh: true });
  const network = await ensureNetwork(sql, { slug: 'north', name: 'North' });
  await sql`drop table ocpi_partner_parties`;
  await sql`alter table ocpi_partners drop refused_at, drop refused_parties`;
  const partner = async (name: string, party: string | null, roles: [role: string, party: string][]) => {
    const [country = null, id = null] = party?.split('-') ?? [];
    const stored = roles.map(([role, named]) => {
      const [countryCode, partyId] = named.split('-');
      return { role, countryCode, partyId, businessDetails: { name, website: null, logoUrl: null } };
    });
    await sql`
      insert into ocpi_partners (network_id, name, country_code, party_id, roles)
      values (${network.id}, ${name}, ${country}, ${id}, ${sql.json(stored)})`;
  };
  await partner('platform', 'DE-EMS', [
    ['EMSP', 'DE-EMS'],
    ['CPO', 'NL-POL'],
  ]);
  // Rows as they could be before: another partner's party and the network's own, in a second role or as the first.
  await partner('captor', 'FR-CAP', [
    ['EMSP', 'FR-CAP'],
    ['CPO', 'DE-EMS'],
    ['CPO', 'NL-CWY'],
  ]);
  await partner('impostor', 'NL-CWY', [['CPO', 'NL-CWY']]);
  await partner('invited', 'IT-INV', []);
  await partner('unnamed', null, []);
  await sql.unsafe(await readFile(migration, 'utf8'));
  const rows = await sql`
    select p.name, p.country_code || '-' || p.party_id as party,
      (select array_agg(r ->> 'partyId') from jsonb_array_elements(p.roles) r) as roles,
      (select array_agg(g.country_code || '-' || g.party_id order by g.party_id)
        from ocpi_partner_parties g where g.partner_id = p.id) as parties
    from ocpi_partners p order by p.id`;
  t.same(
    [...rows],
    [
      { name: 'platform', party: 'DE-EMS', roles: ['EMS', 'POL'], parties: ['DE-EMS', 'NL-POL'] },
      { name: 'captor', party: 'FR-CAP', roles: ['CAP'], parties: ['FR-CAP'] },
      { name: 'impostor', party: null, roles: null, parties: null },
      { name: 'invited', party: 'IT-INV', roles: null, parties: ['IT-INV'] },
      { name: 'unnamed', party: null, roles: null, parties: null },
    ],
  );
});
