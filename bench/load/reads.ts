import type { System } from '#bench/system/system.ts';
import type { StatementName } from '#bench/yardsticks/statements.ts';
import { requestJson } from './http.ts';

/** Read of one resource: the addresses that are requested in turn, and its caller. */
export interface Read {
  name: string;
  paths: string[];
  headers: Record<string, string>;
  /** The same reads at the yardstick that runs their statement; null for reads that it does not have. */
  statements: string[] | null;
}

/** Records that are read in turn: as many as connections by default. */
const records = 50;

/** Kind of single records: the list that names them, and the address of one. */
interface Kind {
  name: string;
  list: string;
  path: (id: string) => string;
  statement?: StatementName;
}

const cpms = '/cpms/v1';
const emsp = '/emsp/v1';
const ocpi = '/ocpi/cpo/2.2';

const operatorKinds: Kind[] = [
  kind('charger', `${cpms}/chargers`, 'charger'),
  { ...kind('EVSE', `${cpms}/chargers`), path: (id) => `${cpms}/chargers/${id}/evses/1` },
  kind('connector', `${cpms}/connectors`),
  kind('location', `${cpms}/locations`),
  kind('tariff', `${cpms}/tariffs`),
  kind('ended session', `${cpms}/sessions?status=COMPLETED`, 'session'),
  kind('running session', `${cpms}/sessions?status=ACTIVE`, 'session'),
  kind('token', `${cpms}/id-tokens`),
  kind('driver', `${cpms}/users`),
];

const publicKinds: Kind[] = [
  kind('charger', `${emsp}/chargers`, 'charger'),
  {
    name: 'connector status',
    list: `${cpms}/connectors?pageSize=${records}`,
    path: (id) => `${emsp}/connectors/${id}/status`,
  },
  kind('ended session', `${emsp}/charging/sessions?status=COMPLETED`, 'session'),
  kind('running session', `${emsp}/charging/sessions?status=ACTIVE`, 'session'),
  kind('transaction', `${emsp}/transactions`),
  kind('token', `${emsp}/auth/tokens`),
  kind('driver', `${emsp}/users`),
];

const lists: [name: string, path: string, statement?: StatementName][] = [
  ['50 chargers, operator', `${cpms}/chargers?pageSize=50`, 'listed chargers'],
  ['50 connectors, operator', `${cpms}/connectors?pageSize=50`],
  ['50 sessions, operator', `${cpms}/sessions?pageSize=50`, 'listed sessions'],
  ['50 tokens, operator', `${cpms}/id-tokens?pageSize=50`],
  ['50 drivers, operator', `${cpms}/users?pageSize=50`],
  ['50 chargers', `${emsp}/chargers?pageSize=50`, 'chargers'],
  ['50 sessions', `${emsp}/charging/sessions?pageSize=50`, 'sessions'],
  ['50 transactions', `${emsp}/transactions?pageSize=50`],
];

function kind(name: string, list: string, statement?: StatementName): Kind {
  const [base = list] = list.split('?');
  const joint = list.includes('?') ? '&' : '?';
  return {
    name,
    list: `${list}${joint}pageSize=${records}`,
    path: (id) => `${base}/${id}`,
    ...(statement && { statement }),
  };
}

/**
 * Returns the reads of a system: single records of all families, lists of 50, and readings.
 * @param partnerToken of a roaming partner; null: its family is not read.
 */
export async function readsOf(system: System, partnerToken: string | null): Promise<Read[]> {
  const keys = { operator: { 'x-api-key': system.operatorKey }, public: { 'x-api-key': system.emspKey } };
  const singles = async (family: string, kinds: Kind[], headers: Record<string, string>): Promise<Read[]> =>
    Promise.all(
      kinds.map(async ({ name, list, path, statement }) => {
        const ids = await idsIn(system, list);
        return {
          name: `${name}, ${family}`,
          paths: ids.map(path),
          headers,
          statements: statement === undefined ? null : ids.map((id) => `/${statement}/${id}`),
        };
      }),
    );
  const sessions = await idsIn(system, `${emsp}/charging/sessions?status=COMPLETED&pageSize=1`);
  return [
    ...(await singles('operator', operatorKinds, keys.operator)),
    ...(await singles('public', publicKinds, keys.public)),
    ...(partnerToken === null ? [] : await roamingReads(system, partnerToken)),
    ...lists.map(([name, path, statement]) => ({
      name,
      paths: [path],
      headers: path.startsWith(cpms) ? keys.operator : keys.public,
      statements: statement === undefined ? null : [`/${encodeURIComponent(statement)}/`],
    })),
    {
      name: 'readings of a session',
      paths: sessions.map((id) => `${emsp}/charging/sessions/${id}/meter-values`),
      headers: keys.public,
      statements: null,
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
    statements: null,
  }));
}

/** Returns the ids of a list, of the family that its address names. */
async function idsIn(system: System, path: string): Promise<string[]> {
  const key = path.startsWith(cpms) ? system.operatorKey : system.emspKey;
  const { data } = await requestJson<{ data: { id: string }[] }>(system, key, path);
  return data.map(({ id }) => id);
}
