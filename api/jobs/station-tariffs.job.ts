import { send } from '#api/services/commands/send.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  listTariffedEvses,
  removeStationTariff,
  storeStationTariff,
  type TariffedEvse,
} from '#shared/postgres/charging/station-tariffs.statements.ts';
import { stationTariffId, toStationTariff } from '#shared/pricing/station-tariff.ts';

/** EVSEs that are compared at once. */
const evsesAtOnce = 200;

/** Time that a station has to take a tariff, in ms. */
const takeTimeoutMs = 10_000;

/**
 * Gives each EVSE of stations that calculate costs themselves the tariff that is effective there (OCPP 2.1 I07), and clears one that
 * is no longer assigned (I10). A running session keeps its tariff, as ours does. A tariff that a station cannot express or refuses is
 * sent again when it changes.
 */
export async function updateStationTariffs(deps: ApiDeps, stopping = AbortSignal.any([])): Promise<void> {
  for (let after = { chargerId: 0, evse: 0 }; !stopping.aborted;) {
    const evses = await listTariffedEvses(deps.sql, after, evsesAtOnce);
    const last = evses.at(-1);
    if (last === undefined) return;
    after = last;
    const byCharger = [...Map.groupBy(evses, ({ chargerId }) => chargerId).values()];
    await Promise.all(
      byCharger.map(async (places) => {
        for (const place of places) await update(deps, place);
      }),
    );
  }
}

async function update(deps: ApiDeps, place: TariffedEvse): Promise<void> {
  const { chargerId, evse, tariff, tariffId: known } = place;
  const tariffId = tariff === null ? null : stationTariffId(tariff, evse);
  if (tariffId === known) return;
  try {
    if (tariff === null || tariffId === null) {
      await call(deps, place, 'ClearTariffs', { tariffIds: [known], evseId: evse });
      await removeStationTariff(deps.sql, chargerId, evse);
      return;
    }
    const result = toStationTariff(tariff, tariffId);
    const answer =
      result.kind === 'tariff'
        ? await call(deps, place, 'SetDefaultTariff', { evseId: evse, tariff: result.tariff })
        : { status: 'NotExpressible', reason: result.obstacle };
    await storeStationTariff(deps.sql, chargerId, { evse, tariffId, ...answer });
  } catch (error) {
    // Sent again a minute later.
    if (!(error instanceof DomainError)) throw error;
  }
}

async function call(deps: ApiDeps, { charger }: TariffedEvse, action: string, payload: object) {
  const command = { type: 'ocpp', action, payload } as const;
  const { status, payload: answer } = await send(deps, null, charger, command, { timeoutMs: takeTimeoutMs });
  const { statusInfo } = answer as { statusInfo?: { reasonCode: string } };
  // The identifier belongs to one content and EVSE: a station that has it took the tariff before (I07.FR.04).
  if (status === 'DuplicateTariffId') return { status: 'Accepted', reason: null };
  return { status: status ?? '', reason: statusInfo?.reasonCode ?? null };
}
