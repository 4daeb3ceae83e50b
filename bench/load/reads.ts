import type { System } from '#bench/system/system.ts';
import { requestJson } from './http.ts';

/** Read of one resource: the addresses that are requested in turn, and its caller. */
export interface Read {
  name: string;
  paths: string[];
  headers: Record<string, string>;
  /** Lowest rate, as a part of a bare Fastify route that answers the same body. */
  goal: number | null;
}

/** Records that are read in turn: as many as connections by default. */
const records = 50;

const singleGoal = 0.4;
const listGoal = 0.6;

/** Kind of single records: the list that names them, and the address of one. */
interface Kind {
  name: string;
  list: string;
  path: (id: string) => string;
}

const cpms = '/cpms/v1';
const emsp = '/emsp/v1';
const ocpi = '/ocpi/cpo/2.2';

const operatorKinds: Kind[] = [
  kind('charger', `${cpms}/chargers`),
  { ...kind('EVSE', `${cpms}/chargers`), path: (id) => `${cpms}/chargers/${id}/evses/1` },
  kind('connector', `${cpms}/connectors`),
  kind('location', `${cpms}/locations`),
  kind('tariff', `${cpms}/tariffs`),
  kind('ended session', `${cpms}/sessions?status=COMPLETED`),
  kind('running session', `${cpms}/sessions?status=ACTIVE`),
  kind('token', `${cpms}/id-tokens`),
  kind('driver', `${cpms}/users`),
];

const publicKinds: Kind[] = [
  kind('charger', `${emsp}/chargers`),
  {
    name: 'connector status',
    list: `${cpms}/connectors?pageSize=${records}`,
    path: (id) => `${emsp}/connectors/${id}/status`,
  },
  kind('ended session', `${emsp}/charging/sessions?status=COMPLETED`),
  kind('running session', `${emsp}/charging/sessions?status=ACTIVE`),
  kind('transaction', `${emsp}/transactions`),
  kind('token', `${emsp}/auth/tokens`),
  kind('driver', `${emsp}/users`),
];

const lists: [name: string, path: string][] = [
  ['50 chargers, operator', `${cpms}/chargers?pageSize=50`],
  ['50 connectors, operator', `${cpms}/connectors?pageSize=50`],
  ['50 sessions, operator', `${cpms}/sessions?pageSize=50`],
  ['50 tokens, operator', `${cpms}/id-tokens?pageSize=50`],
  ['50 drivers, operator', `${cpms}/users?pageSize=50`],
  ['50 chargers', `${emsp}/chargers?pageSize=50`],
  ['50 sessions', `${emsp}/charging/sessions?pageSize=50`],
  ['50 transactions', `${emsp}/transactions?pageSize=50`],
];

function kind(name: string, list: string): Kind {
  const [base = list] = list.split('?');
  const joint = list.includes('?') ? '&' : '?';
  return { name, list: `${list}${joint}pageSize=${records}`, path: (id) => `${base}/${id}` };
}

/**
 * Returns the reads of a system: single records of all families, lists of 50, and readings.
 * @param partnerToken of a roaming partner; null: its family is not read.
 */
export async function readsOf(system: System, partnerToken: string | null): Promise<Read[]> {
  const keys = { operator: { 'x-api-key': system.operatorKey }, public: { 'x-api-key': system.emspKey } };
  const singles = async (family: string, kinds: Kind[], headers: Record<string, string>): Promise<Read[]> =>
    Promise.all(
      kinds.map(async ({ name, list, path }) => ({
        name: `${name}, ${family}`,
        paths: (await idsIn(system, list)).map(path),
        headers,
        goal: singleGoal,
      })),
    );
  const sessions = await idsIn(system, `${emsp}/charging/sessions?status=COMPLETED&pageSize=1`);
  return [
    ...(await singles('operator', operatorKinds, keys.operator)),
    ...(await singles('public', publicKinds, keys.public)),
    ...(partnerToken === null ? [] : await roamingReads(system, partnerToken)),
    ...lists.map(([name, path]) => ({
      name,
      paths: [path],
      headers: path.startsWith(cpms) ? keys.operator : keys.public,
      goal: listGoal,
    })),
    {
      name: 'readings of a session',
      paths: sessions.map((id) => `${emsp}/charging/sessions/${id}/meter-values`),
      headers: keys.public,
      goal: null,
    },
  ];
}

interface OcpiLocation {
  id: string;
  evses?: { uid: string; connectors: { id: string }[] }[];
}

async function roamingReads(system: System, token: string): Promise<Read[]> {
  const headers = { authorization: `Token ${token}` };
  const list = async <Row>(path: string): Promise<Row[]> => {
    const response = await fetch(`${system.apiUrl}${path}?limit=${records}`, { headers });
    return ((await response.json()) as { data: Row[] }).data;
  };
  const locations = await list<OcpiLocation>(`${ocpi}/locations`);
  const tariffs = await list<{ id: string }>(`${ocpi}/tariffs`);
  const evses = locations.flatMap(({ id, evses: own = [] }) =>
    own.map((evse) => ({ path: `${ocpi}/locations/${id}/${evse.uid}`, connector: evse.connectors[0]?.id })),
  );
  const reads: [name: string, paths: string[]][] = [
    ['location', locations.map(({ id }) => `${ocpi}/locations/${id}`)],
    ['EVSE', evses.map(({ path }) => path)],
    ['connector', evses.map(({ path, connector }) => `${path}/${connector}`)],
    ['tariff', tariffs.map(({ id }) => `${ocpi}/tariffs/${id}`)],
  ];
  return reads.map(([name, paths]) => ({
    name: `${name}, roaming`,
    paths: paths.slice(0, records),
    headers,
    goal: singleGoal,
  }));
}

/** Returns the ids of a list, of the family that its address names. */
async function idsIn(system: System, path: string): Promise<string[]> {
  const key = path.startsWith(cpms) ? system.operatorKey : system.emspKey;
  const { data } = await requestJson<{ data: { id: string }[] }>(system, key, path);
  return data.map(({ id }) => id);
}
