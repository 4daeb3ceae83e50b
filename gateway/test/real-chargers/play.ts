import type { Test } from 'tap';
import { type Charging, type Dialect, type SampledValue } from '#gateway/test/field-notes/support/dialect.ts';
import { start } from '#gateway/test/field-notes/support/scene.ts';
import { connectRaw, type RawCharger } from '#gateway/test/support/raw-charger.ts';
import { type Rig, startRig } from '#gateway/test/support/rig.ts';
import { minute } from '#gateway/test/support/scripted16.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import type { SessionRecord } from '#shared/postgres/charging/session-records.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { listedSessions } from '#shared/testing/listed-sessions.ts';
import { type SeededCharger, seedCharger, seedNetwork, seedTariff, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import type { Row, Shown } from './row.ts';

/** Network with a tariff and a token. */
interface Market {
  networkId: number;
  token: string;
}

/** A gateway with the tariffs of the rows. */
export interface Stage {
  rig: Rig;
  /** 0.40 EUR/kWh. */
  flat: Market;
  /** 1.00 EUR/kWh while 32 A or more flow over all phases, else 0.10. */
  byCurrent: Market;
}

const energy = (price: string) => ({ type: 'ENERGY' as const, price, step_size: 1 });

/** Inserts the tariff of `Stage.byCurrent`. */
export async function seedByCurrent(sql: Sql, networkId: number): Promise<void> {
  await seedTariff(sql, networkId, [
    { price_components: [energy('1.00')], restrictions: { min_current: 32 } },
    { price_components: [energy('0.10')] },
  ]);
}

export async function openStage(t: Test): Promise<Stage> {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const other = await seedNetwork(sql);
  await seedTariff(sql, rig.network.id, [{ price_components: [energy('0.40')] }]);
  await seedByCurrent(sql, other.id);
  const marketOf = async (networkId: number) => ({ networkId, token: await seedToken(sql, networkId) });
  return { rig, flat: await marketOf(rig.network.id), byCurrent: await marketOf(other.id) };
}

/**
 * Sends the messages of a row, and returns its session once it has a price. Where a step expects values, `show` receives the
 * session, after `stopAtLimits` if it has a limit.
 */
export async function play(
  stage: Stage,
  row: Row,
  dialect: Dialect,
  stopAtLimits: () => Promise<unknown>,
  show: (session: SessionRecord, expected: Shown) => void,
): Promise<SessionRecord> {
  const { rig } = stage;
  const { networkId, token } = row.isByCurrent === true ? stage.byCurrent : stage.flat;
  const charger = await chargerOf(rig, networkId, row);
  const socket = await connectRaw(rig, charger, dialect.version);
  const said: Charging = {
    connector: 1,
    token,
    startedAt: new Date(Date.now() - 70 * minute),
    meterStartWh: row.meterStart,
    ...(row.startValues !== undefined && { startValues: row.startValues }),
    name: 'own',
  };
  const transaction = await start(socket, dialect, said);
  await rig.stores
    .sql`update sessions set max_energy_wh = ${row.maxEnergyWh ?? null} where charger_id = ${charger.id}`;
  const reading = (at: number, registerWh: number | null, values?: readonly SampledValue[]) => ({
    at: new Date(said.startedAt.getTime() + at * minute),
    registerWh,
    values,
  });
  let readAt = said.startedAt;
  for (const [index, step] of row.steps.entries()) {
    if ('shows' in step) {
      await liveUntil(rig, charger, readAt);
      if (row.maxEnergyWh !== undefined) {
        const stopping = stopAtLimits();
        if (step.shows.limitPassed !== undefined) accept(socket, await socket.next());
        await stopping;
      }
      show(await onlySession(rig, charger), step.shows);
      continue;
    }
    const seqNo = index + 1;
    const call =
      'stop' in step
        ? dialect.stop(said, step.id ?? transaction, reading(step.at, step.stop, step.values), seqNo)
        : 'unnamed' in step
          ? dialect.unnamed(said, step.id, [reading(step.at, null, step.unnamed)])
          : dialect.meter(said, transaction, [reading(step.at, null, step.values)], seqNo);
    if (!('stop' in step)) readAt = reading(step.at, null).at;
    const answer = await socket.call(`step-${index}`, ...call);
    if (answer[0] !== 3) throw new Error(`step ${index} was answered with ${JSON.stringify(answer)}`);
  }
  await socket.terminate();
  await rig.priceSessions();
  return onlySession(rig, charger);
}

async function chargerOf({ stores }: Rig, networkId: number, row: Row): Promise<SeededCharger> {
  const charger = await seedCharger(stores.sql, networkId, { connectors: row.connectors ?? 1 });
  await stores.sql`update connectors set max_power_w = ${row.ratedPowerW} where charger_id = ${charger.id}`;
  return charger;
}

/** Accepts a request of the gateway. */
function accept(socket: RawCharger, [, id]: unknown[]): void {
  socket.send(JSON.stringify([3, id, { status: 'Accepted' }]));
}

/** Resolves when the live values of a session include the reading at `readAt`. */
async function liveUntil(rig: Rig, charger: SeededCharger, readAt: Date): Promise<void> {
  await until('the live values', async () => {
    const session = await onlySession(rig, charger);
    return session.status === 'COMPLETED' || (session.liveAt ?? session.startedAt) >= readAt;
  });
}

async function onlySession({ stores }: Rig, charger: SeededCharger): Promise<SessionRecord> {
  const scope = { networks: allNetworks, userId: null };
  const [session, ...others] = await listedSessions(stores.sql, scope, { chargerUuid: charger.uuid });
  if (session === undefined || others.length > 0) throw new Error('a row has one session');
  return session;
}
