import type { Sql } from '#shared/postgres/kernel/client.ts';
import { insertPartner } from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import { upsertOcpiTokens } from '#shared/postgres/roaming/ocpi-tokens.statements.ts';

/** Inserts a registered roaming partner with a token that can charge without a request to the partner. */
export async function seedPartner(
  sql: Sql,
  networkId: number,
  { partyId, uid }: { partyId: string; uid: string },
): Promise<{ id: number }> {
  const partner = {
    networkId,
    name: partyId,
    parties: [{ countryCode: 'DE', partyId }],
    writeScopes: [],
    quirks: {},
    rateLimitPerHour: null,
    tokenHash: null,
  };
  const uuid = await sql.begin((transaction) => insertPartner(transaction, partner));
  const [row] = await sql<{ id: number }[]>`
    update ocpi_partners set status = 'REGISTERED' where uuid = ${uuid} returning id`;
  if (row === undefined) throw new Error('no partner was made');
  await upsertOcpiTokens(sql, row.id, [
    {
      countryCode: 'DE',
      partyId,
      uid,
      type: 'RFID',
      contractId: `DE-${partyId}-1`,
      visualNumber: null,
      issuer: partyId,
      groupId: null,
      isValid: true,
      whitelist: 'ALWAYS',
      language: null,
      defaultProfileType: null,
      energyContract: null,
      lastUpdated: new Date(),
    },
  ]);
  return row;
}
