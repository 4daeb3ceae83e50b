import { deviceModelEffects } from '#gateway/ocpp201/effects.ts';
import { type EffectTable, effectsOf } from '#gateway/protocol/effect-table.ts';

const table: EffectTable<'2.1'> = {
  ...deviceModelEffects,
  AdjustPeriodicEventStream: ({ id, params }) => ({
    type: 'event-stream-adjusted',
    streamId: id,
    intervalSeconds: params.interval ?? null,
    maxValues: params.values ?? null,
  }),
  GetPeriodicEventStream: () => ({ type: 'event-streams-requested' }),
};

/** Returns the effect of an OCPP 2.1 request that a client encoded. */
export const effectOf = effectsOf(table);
