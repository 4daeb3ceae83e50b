import { watchForAlerts } from '#api/jobs/alerts.job.ts';
import { deliverAlerts } from '#api/services/fleet/alert-notifier.ts';
import { backdateAlerts } from '#shared/testing/backdate.ts';
import { seedConnection } from '#shared/testing/seed.ts';
import { items, type Json, mintKey, register, startTestApi, type TestApi } from './fixtures.ts';
import { addLocation } from './records.ts';
import type { Test } from 'tap';

const text = (json: Json | undefined) => json as unknown as string;

/** An API with a key of its first network, and the work of the job that finds alerts. */
export interface AlertScene {
  api: TestApi;
  key: string;
  watch(): Promise<number>;
  /** Delivers after a time has passed. Returns the subjects of the e-mails that were queued, in order. */
  deliver(secondsLater?: number): Promise<string[]>;
  /** Returns the alerts that the key sees, newest first. */
  list(query?: string): Promise<Json[]>;
  /** Returns `kind status` of the alerts, newest first. */
  states(query?: string): Promise<string[]>;
}

export async function alertScene(t: Test): Promise<AlertScene> {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const list = async (query = '') =>
    items((await api.call(key, { url: `/cpms/v1/alerts${query}` })).json['data']);
  const { sql } = api.stores;
  return {
    api,
    key,
    watch: () => watchForAlerts(api.deps),
    async deliver(secondsLater = 130) {
      await backdateAlerts(sql, secondsLater);
      const [last] = await sql<{ id: number }[]>`select coalesce(max(id), 0) as id from mails`;
      await deliverAlerts(api.deps);
      const mails = await sql<
        { subject: string }[]
      >`select subject from mails where id > ${last!.id} order by id`;
      return mails.map(({ subject }) => subject);
    },
    list,
    states: async (query) => (await list(query)).map(({ kind, status }) => `${text(kind)} ${text(status)}`),
  };
}

/** Registers a charger whose socket a gateway holds. */
export async function connectedCharger(
  { api, key }: Pick<AlertScene, 'api' | 'key'>,
  serial: string,
  body: Record<string, unknown> = {},
): Promise<string> {
  const { id } = await register(api, key, { serial, ...body });
  await seedConnection(api.stores.sql, id);
  return id;
}

/** A location with connected chargers, named by the location's name and a number. */
export async function connectedSite(
  scene: Pick<AlertScene, 'api' | 'key'>,
  name: string,
  chargers: number,
  networkId = scene.api.network.id,
): Promise<{ id: number; uuid: string }> {
  const { sql } = scene.api.stores;
  const location = await addLocation(sql, networkId, { name });
  await sql`
    with shard as (
      insert into gateway_shards (id, seen_at) values (gen_random_uuid(), now() + interval '1 hour') returning id
    )
    insert into chargers (network_id, location_id, uid, evse_id, serial_number, password_hash, connection_id,
      connected_shard, connected_at, last_heartbeat_at)
    select ${networkId}, ${location.id}, ${name} || '-' || n, 'NL*CWY*E' || ${name} || n, ${name} || n, '', gen_random_uuid(),
      shard.id, now() - interval '1 day', now()
    from shard, generate_series(1, ${chargers}) n`;
  return location;
}

/** Disconnects the first chargers of a location, `spreadSeconds` apart in all, the last of them `minutesAgo`. */
export async function cutOff(
  { api }: Pick<AlertScene, 'api'>,
  locationId: number,
  { chargers = 100_000, minutesAgo = 20, spreadSeconds = 90 } = {},
): Promise<void> {
  await api.stores.sql`
    with cut as (
      select id, row_number() over (order by id) - 1 as n, count(*) over () as total from (
        select id from chargers where location_id = ${locationId} and deleted_at is null order by id limit ${chargers}) c
    )
    update chargers c set disconnected_at = now() - make_interval(mins => ${minutesAgo})
      - cut.n * ${spreadSeconds}::float / greatest(1, cut.total - 1) * interval '1 second'
    from cut where c.id = cut.id`;
}

/** Connects chargers of a location again. */
export async function reconnect(
  { api }: Pick<AlertScene, 'api'>,
  locationId: number,
  chargers = 100_000,
): Promise<void> {
  await api.stores.sql`
    update chargers set disconnected_at = null where id in (
      select id from chargers where location_id = ${locationId} order by id limit ${chargers})`;
}

/** An operator of a network who can be notified. */
export async function addOperator(
  { api }: Pick<AlertScene, 'api'>,
  email: string,
  { role = 'Admin', networkIds = [api.network.id] }: { role?: string; networkIds?: number[] } = {},
): Promise<string> {
  const { sql } = api.stores;
  const [operator] = await sql<{ id: number; uuid: string }[]>`
    insert into operators (email, name, role, unrestricted, password_hash)
    values (${email}, ${email}, ${role}, ${networkIds.length === 0}, 'x') returning id, uuid`;
  for (const networkId of networkIds)
    await sql`insert into operator_networks (operator_id, network_id) values (${operator!.id}, ${networkId})`;
  return operator!.uuid;
}

/** Returns the newest e-mail about alerts. */
export async function newestMail({ api }: Pick<AlertScene, 'api'>) {
  const [mail] = await api.stores.sql<{ recipient: string; subject: string; text: string; html: string }[]>`
    select recipient, subject, body_text as text, body_html as html from mails where kind = 'alerts'
    order by id desc limit 1`;
  if (mail === undefined) throw new Error('no e-mail about alerts');
  return mail;
}

/** A scene with one administrator of each network, and a viewer. */
export async function staffedScene(t: Test): Promise<AlertScene> {
  const scene = await alertScene(t);
  await addOperator(scene, 'ada@north.example');
  await addOperator(scene, 'viewer@north.example', { role: 'Viewer' });
  await addOperator(scene, 'bob@south.example', { networkIds: [scene.api.otherNetwork.id] });
  return scene;
}

/** Sets the rule of a kind in the first network. */
export const putRule = ({ api, key }: AlertScene, kind: string, payload: object) =>
  api.call(key, { method: 'PUT', url: `/cpms/v1/alert-rules/${kind}`, payload });

/** Faults or repairs a charger. */
export const setFaulted = ({ api }: AlertScene, uuid: string, isFaulted: boolean) =>
  api.stores.sql`
    update chargers set station_status = ${isFaulted ? 'Faulted' : 'Available'}, updated_at = clock_timestamp()
    where uuid = ${uuid}`;

/** Returns the recipients of all e-mails, in order. */
export async function recipientsOf({ api }: AlertScene): Promise<string[]> {
  const rows = await api.stores.sql<{ recipient: string }[]>`select recipient from mails order by id`;
  return rows.map(({ recipient }) => recipient);
}
