import { pingClickHouse } from '#shared/clickhouse/client.ts';
import { within } from '#shared/domain/kernel/deadline.ts';
import { pingPostgres } from '#shared/postgres/kernel/client.ts';
import type { ServiceDeps } from './deps.ts';

/** Time in ms after which a part counts as down: below the timeout of probes. */
const deadlineMs = 2_000;

export type PartState = 'up' | 'down';

/** Availability of each part that requests need. */
interface Readiness {
  postgresql: PartState;
  clickhouse: PartState;
  bus: PartState;
}

/** Asks all parts at once; never rejects, and takes two seconds at most, unless this thread stands still. */
export async function checkReadiness({ sql, clickhouse, bus }: ServiceDeps): Promise<Readiness> {
  const [postgresql, clickhouseState, busState] = await Promise.all([
    stateOf(pingPostgres(sql)),
    stateOf(pingClickHouse(clickhouse)),
    stateOf(bus.ping()),
  ]);
  return { postgresql, clickhouse: clickhouseState, bus: busState };
}

function stateOf(ping: Promise<void>): Promise<PartState> {
  return within(ping, deadlineMs, 'a ping').then(
    () => 'up',
    () => 'down',
  );
}
