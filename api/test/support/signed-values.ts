import { type SignedMeterValue } from '#shared/domain/charging/signed-meter-value.ts';
import { storeSignedValues } from '#shared/postgres/charging/session-writes/signatures.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';

/** Stores a record in OCMF as the gateway does, by default one of the end of a session. */
export async function storeSigned(
  sql: Sql,
  sessionUuid: string,
  data: string,
  changed: Partial<SignedMeterValue> = {},
): Promise<void> {
  const now = new Date();
  const value: SignedMeterValue = {
    nature: 'END',
    measuredAt: now,
    receivedAt: now,
    format: 'OCMF',
    data,
    encodingMethod: 'OCMF',
    signingMethod: null,
    claimedKey: null,
    ...changed,
  };
  await storeSignedValues(sql, sessionUuid, [value]);
}
