import {
  type PartnerSessionReading,
  sessionObject as session221,
} from '#api/services/roaming/wire/v221/session.ts';
import { taxedPrice } from './price.ts';
import { cdrToken } from './token.ts';

/** Converts a session. */
export function sessionObject(reading: PartnerSessionReading) {
  const { total_cost: cost, cdr_token: token, ...same } = session221(reading);
  return {
    ...same,
    cdr_token: cdrToken(token),
    ...(cost !== undefined && { total_cost: taxedPrice(cost) }),
  };
}
