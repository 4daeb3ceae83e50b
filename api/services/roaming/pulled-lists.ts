import { Check } from 'typebox/schema';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { HubClient } from '#shared/domain/roaming/hub-client.ts';
import { partyName } from '#shared/domain/roaming/ocpi.ts';
import { upsertOcpiTokens } from '#shared/postgres/roaming/ocpi-tokens.statements.ts';
import { storeHubClients } from './hub-clients.ts';
import { lastByKey, type PullDeps, type PulledList, pullList } from './list-pull.ts';
import { ownParties } from './own-parties.ts';
import { ClientInfo, clientRecord } from './wire/client-info.ts';
import { tokenTypesIn, withKnownValues } from './wire/open-enums.ts';
import { serializerFor } from './wire/serializer.ts';

/** Reads the tokens of the partners that are due (OCPI 2.2.1 §12.1.2). Of other parties' tokens none is stored. */
export function pullTokens(deps: PullDeps, stopping = AbortSignal.any([])): Promise<void> {
  return pullList(deps, tokens, stopping);
}

/** Reads the clients of the hubs that are due (OCPI 2.2.1 §15.2.2). */
export function pullHubClients(deps: PullDeps, stopping = AbortSignal.any([])): Promise<void> {
  return pullList(deps, hubClients, stopping);
}

const tokens: PulledList = {
  module: 'tokens',
  async store(deps, partner, sent) {
    const { readToken } = serializerFor(partner.ocpiVersion);
    const types = tokenTypesIn(partner.ocpiVersion);
    const { countryCode, partyId } = partner;
    const party =
      countryCode === null || partyId === null ? null : { country_code: countryCode, party_id: partyId };
    // A token that cannot be read does not keep the others out.
    const records = sent
      .map((token) => readToken(withKnownValues(token, types), party))
      .filter((token) => token !== null);
    const own = await ownParties(deps, partner, records);
    const stored = records.filter((token) => own.has(partyName(token)));
    const keyed = lastByKey(
      stored,
      ({ uid, type, ...party }) => `${partyName(party)} ${uid.toLowerCase()} ${type}`,
    );
    await upsertOcpiTokens(deps.sql, partner.id, keyed);
  },
};

const hubClients: PulledList = {
  module: 'hubclientinfo',
  async store(deps, partner, sent) {
    const records = sent.map(readClient).filter((client) => client !== null);
    await storeHubClients(
      deps,
      partner.id,
      lastByKey(records, (client) => `${partyName(client)} ${client.role}`),
    );
  },
};

/** Converts a client of a hub; null when it cannot be read, which does not keep the others out. */
function readClient(sent: unknown): HubClient | null {
  if (!Check(ClientInfo, sent)) return null;
  try {
    return clientRecord(sent);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
