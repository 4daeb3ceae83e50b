import type { Schemas } from '../../../api/client.ts';
import { zonedInput, zonedInstant } from '../../../texts/zoned-time.ts';
import type { Actable } from './actable.ts';
import { numberOf, textOf } from '../../../texts/numbers.ts';

/** Fields of the form as texts. */
export interface AmendFields {
  energy: string;
  end: string;
  hasOwnPrice: boolean;
  net: string;
  gross: string;
}

/** Field that cannot be sent. */
export type InvalidField = 'energy' | 'end' | 'net' | 'gross';

type Changes = Omit<Schemas['AmendSessionRequest'], 'reason' | 'confirmAbovePlausible'>;

/** Returns the present values of a session as fields. */
export function fieldsOf({ energyKwh, endedAt, cost }: Actable, timeZone: string): AmendFields {
  return {
    energy: textOf(energyKwh),
    end: endedAt === null ? '' : zonedInput(endedAt, timeZone),
    hasOwnPrice: false,
    net: textOf(cost?.totalExclVat ?? null),
    gross: textOf(cost?.totalInclVat ?? null),
  };
}

/** Returns the fields that cannot be sent. */
export function invalidFields(fields: AmendFields, { startedAt }: Actable, timeZone: string): InvalidField[] {
  const { energy, end, net, gross, hasOwnPrice } = fields;
  const at = zonedInstant(end, timeZone);
  const isEnd = at !== null && Date.parse(at) >= Date.parse(startedAt) - 1000 && Date.parse(at) <= Date.now();
  const valid: Record<InvalidField, boolean> = {
    energy: isAmount(energy),
    end: isEnd,
    net: !hasOwnPrice || isAmount(net),
    gross: !hasOwnPrice || isAmount(gross),
  };
  return (Object.keys(valid) as InvalidField[]).filter((field) => !valid[field]);
}

const isAmount = (text: string) => (numberOf(text) ?? -1) >= 0;

/** Returns the values of the fields that differ from the session's. */
export function changesOf(fields: AmendFields, session: Actable, timeZone: string): Changes {
  const { energy, end, net, gross, hasOwnPrice } = fields;
  const before = fieldsOf(session, timeZone);
  const endedAt = zonedInstant(end, timeZone);
  return {
    ...(energy === before.energy ? {} : { energyKwh: numberOf(energy) ?? 0 }),
    ...(end === before.end || endedAt === null ? {} : { endedAt }),
    ...(hasOwnPrice ? { cost: { exclVat: numberOf(net) ?? 0, inclVat: numberOf(gross) ?? 0 } } : {}),
  };
}
