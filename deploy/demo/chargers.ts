import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StatusEventOrigin } from '#shared/clickhouse/status-events.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { type SigningMeter, signingMeter } from '#shared/simulator/signing-meter.ts';
import { demoApi } from './demo-api.ts';
import { type ChargerPlan, chargerPlans } from './network-plan.ts';
import type { SeededNetwork } from './seed.ts';

/** The API of the running system, as an operator calls it. */
export interface OperatorApi {
  url: string;
  key: string;
  networkUuid: string;
}

/** The demo's chargers with their OCPP passwords. */
export interface DemoCharger extends ChargerPlan {
  password: string;
}

/** File of the demo chargers' passwords, readable only by its owner: the API shows a password only once. */
const passwordFile = (dataDir: string): string => join(dataDir, 'demo-chargers.json');

/** Returns the meter of a demo charger. Its key follows from the password, so that it is the same after a restart of the demo. */
export function demoMeter(password: string): SigningMeter {
  return signingMeter({ seed: password });
}

/** Registers the chargers of the plan that are not there yet, with their connectors, through the operator API. */
export async function registerChargers(
  api: OperatorApi,
  seeded: SeededNetwork,
  dataDir: string,
): Promise<DemoCharger[]> {
  const passwords = readPasswords(dataDir);
  const chargers: DemoCharger[] = [];
  for (const plan of chargerPlans()) {
    let password = passwords[plan.uid];
    if (password === undefined) {
      password = await register(api, seeded, plan);
      passwords[plan.uid] = password;
      writeFileSync(passwordFile(dataDir), `${JSON.stringify(passwords, null, 2)}\n`, { mode: 0o600 });
    }
    chargers.push({ ...plan, password });
  }
  return chargers;
}

function readPasswords(dataDir: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(passwordFile(dataDir), 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}

async function register(api: OperatorApi, seeded: SeededNetwork, plan: ChargerPlan): Promise<string> {
  const { model } = plan;
  const { post } = demoApi(api.url, api.key);
  const charger = await post<{ id: string; ocppPassword: string }>('/cpms/v1/chargers', {
    serial: plan.uid,
    networkUuid: api.networkUuid,
    locationUuid: seeded.locationUuids.get(plan.location.name),
    modelUuid: seeded.modelUuids.get(model.modelName),
    ocppVersion: model.ocppVersion,
  });
  for (let connectorNumber = 1; connectorNumber <= model.connectors; connectorNumber += 1) {
    await post(`/cpms/v1/chargers/${charger.id}/connectors`, {
      connectorNumber,
      standard: model.standard,
      format: model.format,
      powerType: model.powerType,
      maxVoltage: model.maxVoltage,
      maxAmperage: model.maxAmperage,
      maxPower: model.supply.maxPowerW / 1000,
    });
  }
  const { publicKey } = demoMeter(charger.ocppPassword);
  await post(`/cpms/v1/chargers/${charger.id}/meter-keys`, { publicKey });
  return charger.ocppPassword;
}

/** Returns the time in ms at which the newest session at the demo's chargers began or ended. Null: they have none. */
export async function newestSessionAt(sql: Sql, networkUuid: string): Promise<number | null> {
  const uids = chargerPlans().map(({ uid }) => uid);
  const [newest] = await sql<{ at: Date | null }[]>`
    select max(coalesce(s.ended_at, s.started_at)) as at from sessions s join chargers c on c.id = s.charger_id
    where c.uid = any(${uids}::text[]) and s.network_id = (select id from networks where uuid = ${networkUuid})`;
  return newest?.at?.getTime() ?? null;
}

/** Returns the internal numbers of the demo's chargers, by uid. */
export async function chargerOrigins(sql: Sql): Promise<ReadonlyMap<string, StatusEventOrigin>> {
  const uids = chargerPlans().map(({ uid }) => uid);
  const rows = await sql<(StatusEventOrigin & { uid: string })[]>`
    select id, network_id as "networkId", uid from chargers where uid = any(${uids}::text[]) and deleted_at is null`;
  return new Map(rows.map(({ uid, ...origin }) => [uid, origin]));
}
