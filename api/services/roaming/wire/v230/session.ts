import {
  type PartnerSessionReading,
  sessionObject as session221,
} from '#api/services/roaming/wire/v221/session.ts';
import { taxedPrice } from './price.ts';

/** Converts a session. */
export function sessionObject(reading: PartnerSessionReading) {
  const { total_cost: cost, ...same } = session221(reading);
  return {
    ...same,
    cdr_token: reading.session.token,
    ...(cost !== undefined && { total_cost: taxedPrice(cost) }),
  };
}
