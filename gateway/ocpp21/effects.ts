import { deviceModelEffects } from '#gateway/ocpp201/effects.ts';
import { dynamicLimitOf } from '#shared/domain/charging/charging-profile.ts';
import { type EffectTable, effectsOf } from '#gateway/protocol/effect-table.ts';

const table: EffectTable<'2.1'> = {
  ...deviceModelEffects,
  AdjustPeriodicEventStream: ({ id, params }) => ({
    type: 'event-stream-adjusted',
    streamId: id,
    intervalSeconds: params.interval ?? null,
    maxValues: params.values ?? null,
  }),
  UpdateDynamicSchedule: ({ chargingProfileId, scheduleUpdate }) => ({
    type: 'dynamic-limit',
    profileId: chargingProfileId,
    update: dynamicLimitOf(scheduleUpdate),
  }),
  UsePriorityCharging: ({ transactionId, activate }) => ({
    type: 'priority-charging',
    transactionId,
    isActive: activate,
  }),
  GetPeriodicEventStream: () => ({ type: 'event-streams-requested' }),
};

/** Returns the effect of an OCPP 2.1 request that a client encoded. */
export const effectOf = effectsOf(table);
