import { send } from '#api/services/commands/send.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  type BootedCharger,
  listUnreportedChargers,
  markReportRequested,
} from '#shared/postgres/fleet/device-reports.statements.ts';

/** Chargers that are asked at once. */
const chargersAtOnce = 50;

/** Time for a charger to answer that it will report, in ms. */
const answerTimeoutMs = 10_000;

/** Errors after which a charger is asked again by the next run; after others, it is asked after its next boot. */
const temporary: ReadonlySet<string> = new Set(['CHARGER_OFFLINE', 'CHARGER_HELD', 'STORE_UNAVAILABLE']);

/**
 * Asks stations that limit sessions and calculate costs themselves for their device model after each boot: limits, tariffs and event
 * streams depend on what they report (OCPP 2.1 B07, N02, N12).
 */
export async function requestDeviceReports(deps: ApiDeps, stopping = AbortSignal.any([])): Promise<void> {
  for (let after = 0; !stopping.aborted;) {
    const chargers = await listUnreportedChargers(deps.sql, after, chargersAtOnce);
    const last = chargers.at(-1);
    if (last === undefined) return;
    after = last.id;
    await Promise.all(chargers.map((charger) => request(deps, charger)));
  }
}

async function request(deps: ApiDeps, { id, bootedAt, ...charger }: BootedCharger): Promise<void> {
  // Reports of different boots have different numbers.
  const requestId = Math.floor(bootedAt.getTime() / 1000);
  const calls = [
    ['GetBaseReport', { requestId, reportBase: 'FullInventory' }],
    ['GetMonitoringReport', { requestId }],
    ['GetPeriodicEventStream', {}],
  ] as const;
  for (const [action, payload] of calls) {
    try {
      await send(deps, null, charger, { type: 'ocpp', action, payload }, { timeoutMs: answerTimeoutMs });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (temporary.has(error.code)) return;
    }
  }
  await markReportRequested(deps.sql, id, bootedAt);
}
