import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { LimitReason } from '#shared/domain/load/plan.ts';
import { wattsPerAmp } from '#shared/domain/load/site.ts';
import { findWiring } from '#shared/postgres/load/wired-connectors.statements.ts';
import { readPlan } from './site-bus.ts';

/** Reasons for which a car charges more slowly, for drivers. */
export const slowdowns = ['shared', 'paused', 'rising', 'external', 'station'] as const;
type Slowdown = (typeof slowdowns)[number];

/** Null: load management does not slow the car down. */
const slowdownOf: Record<LimitReason['kind'], Slowdown | null> = {
  full: null,
  idle: null,
  uncontrolled: null,
  circuit: 'shared',
  paused: 'paused',
  waiting: 'rising',
  bound: 'external',
  offline: 'station',
  unconfirmed: 'station',
  'set-aside': 'station',
};

/** Limit of a running session. */
interface ChargingLimit {
  watts: number;
  reason: Slowdown;
  /** In ms since 1970. */
  at: number;
}

/** Returns the limit by which load management slows a session down; null if it does not. */
export async function readChargingLimit(
  { sql, bus }: ServiceDeps,
  session: { status: string; connectorUuid: string },
): Promise<ChargingLimit | null> {
  if (session.status !== 'ACTIVE') return null;
  const wiring = await findWiring(sql, session.connectorUuid);
  const plan = wiring === null ? null : await readPlan(bus, wiring.siteUuid);
  const own = plan?.connectors.find(({ connectorId }) => connectorId === session.connectorUuid);
  const reason = own === undefined ? null : slowdownOf[own.reason.kind];
  if (wiring === null || plan === null || own === undefined || reason === null) return null;
  return { watts: own.amps * wattsPerAmp(wiring), reason, at: plan.at };
}
