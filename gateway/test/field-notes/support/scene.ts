import type { Test } from 'tap';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { listedSessions } from '#shared/testing/listed-sessions.ts';
import { seedCharger, type SeededCharger, seedTariff, seedToken } from '#shared/testing/seed.ts';
import { connectRaw, type RawCharger } from '#gateway/test/support/raw-charger.ts';
import { type Rig, startRig } from '#gateway/test/support/rig.ts';
import type { Charging, Dialect } from './dialect.ts';

/** A gateway with a token and a tariff, and chargers to be scripted. */
export interface Scene {
  rig: Rig;
  token: string;
  charger(): Promise<SeededCharger>;
  socket(charger: SeededCharger, dialect: Dialect): Promise<RawCharger>;
  /** All sessions of a charger, the newest first. */
  sessions(charger: SeededCharger): ReturnType<typeof sessionsOf>;
}

export async function openScene(t: Test): Promise<Scene> {
  const rig = await startRig(t, { SHARDS: '2' });
  const { sql } = rig.stores;
  const token = await seedToken(sql, rig.network.id);
  await seedTariff(sql, rig.network.id);
  return {
    rig,
    token,
    charger: () => seedCharger(sql, rig.network.id, { connectors: 1 }),
    socket: (charger, dialect) => connectRaw(rig, charger, dialect.version),
    sessions: (charger) => sessionsOf(rig, charger),
  };
}

async function sessionsOf({ stores }: Rig, charger: SeededCharger) {
  const scope = { networks: allNetworks, userId: null };
  return listedSessions(stores.sql, scope, { chargerUuid: charger.uuid });
}

/** Returns a session that began a while ago, by default an hour. */
export function charging(scene: Scene, more: Partial<Charging> = {}): Charging {
  return {
    connector: 1,
    token: scene.token,
    startedAt: new Date(Date.now() - 3_600_000),
    meterStartWh: 1000,
    name: 'tx-1',
    ...more,
  };
}

/** Begins a session and gives its transaction id. */
export async function start(
  socket: RawCharger,
  dialect: Dialect,
  said: Charging,
  id = 'start',
): Promise<string | number> {
  const [type, , answer] = await socket.call(id, ...dialect.start(said));
  if (type !== 3) throw new Error(`a start was answered with ${JSON.stringify(answer)}`);
  return dialect.transactionOf(said, answer);
}

/** So many seconds after the start. */
export function after(said: Charging, seconds: number): Date {
  return new Date(said.startedAt.getTime() + seconds * 1000);
}
