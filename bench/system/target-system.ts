import { requestJson } from '#bench/load/http.ts';
import { ClickHouseHttp } from './clickhouse-http.ts';
import type { System } from './system.ts';

/** Addresses and keys of a running system. */
export interface Target {
  apiUrl: string;
  ocppUrls: string[];
  operatorKey: string;
  emspKey: string;
  /** Network of new chargers and drivers; null where the operator key has one network only. */
  networkId: string | null;
  /** Tokens that may charge; empty: drivers with a token each are created. */
  tokens: string[];
  /** Null: rows and parts are not counted. */
  clickhouseUrl: string | null;
}

/** Drivers that the bench creates, so that not every session is of one driver and one wallet. */
const drivers = 20;

/** Money in the wallet of each driver, in units of the network's currency. */
const balance = 100_000;

/** A running system that the bench neither starts nor stops. Its chargers and sessions stay. */
export async function openTarget(target: Target): Promise<System> {
  const clickhouse = target.clickhouseUrl === null ? null : new ClickHouseHttp(target.clickhouseUrl);
  return {
    topology: 'target',
    apiUrl: target.apiUrl,
    ocppUrls: target.ocppUrls,
    operatorKey: target.operatorKey,
    emspKey: target.emspKey,
    networkId: target.networkId,
    tokens: target.tokens.length === 0 ? await createTokens(target) : target.tokens,
    clickhouse,
    versions: clickhouse === null ? {} : { ClickHouse: await clickhouse.value('select version()') },
    usage: () => ({}),
  };
}

/** Creates drivers with a token and a wallet through the operator API, and returns the uids of the tokens. */
async function createTokens(target: Target): Promise<string[]> {
  const prefix = `BENCH${Date.now().toString(36).toUpperCase()}`;
  const names = Array.from({ length: drivers }, (_, index) => `${prefix}${String(index).padStart(2, '0')}`);
  await Promise.all(names.map((name) => createDriver(target, name)));
  return names;
}

async function createDriver(target: Target, name: string): Promise<void> {
  const create = async (path: string, body: object): Promise<string> =>
    (await requestJson<{ data: { id: string } }>(target, target.operatorKey, `/cpms/v1${path}`, body)).data
      .id;
  const network = target.networkId === null ? {} : { networkUuid: target.networkId };
  const userId = await create('/users', {
    ...network,
    email: `${name.toLowerCase()}@bench.example`,
    name: 'Bench',
  });
  await create('/id-tokens', { ...network, uid: name, tokenType: 'RFID', userId });
  const wallet = await create('/wallets', { userId });
  await create(`/wallets/${wallet}/credit`, { amount: balance, reason: 'Balance of the bench' });
}
