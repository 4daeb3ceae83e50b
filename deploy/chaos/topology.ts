import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Stores } from '#bench/system/stores.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { Link } from './link.ts';
import { Product } from './product.ts';

export const storeNames = ['PostgreSQL', 'ClickHouse', 'Redis'] as const;
export type StoreName = (typeof storeNames)[number];

export const gatewayNames = ['gateway-1', 'gateway-2'] as const;
export const apiNames = ['api-1', 'api-2'] as const;
export const productNames = [...gatewayNames, ...apiNames] as const;
export type ProductName = (typeof productNames)[number];

/** Two gateways and two API processes; every connection to a store or from a client leads through a link. */
export interface Topology {
  products: Record<ProductName, Product>;
  /** Links from clients to a process. Chargers get the other gateway while theirs refuses connections. */
  fronts: Record<ProductName, Link>;
  /** Links from a process to a store. */
  storeLinks: Record<ProductName, Record<StoreName, Link>>;
  stop(): Promise<void>;
}

/** Addresses of the stores, which are migrated. */
export type StoreUrls = Pick<Stores, 'databaseUrl' | 'clickhouseUrl'> & { redisUrl: string };

/** Starts the processes, with their data and logs in `directory`. */
export async function startTopology(stores: StoreUrls, directory: string): Promise<Topology> {
  const ports = await recordOf(productNames, () => freePort());
  const storeLinks = await recordOf(productNames, () => openStoreLinks(stores));
  const products = await recordOf(productNames, async (name) => {
    const links = storeLinks[name];
    const dataDir = join(directory, name.startsWith('gateway') ? name : 'api');
    mkdirSync(dataDir, { recursive: true });
    const isGateway = name.startsWith('gateway');
    const healthPort = isGateway ? await freePort() : ports[name];
    return new Product({
      name,
      entry: isGateway ? 'gateway/main.ts' : 'api/main.ts',
      env: {
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        SHARDS: '1',
        LOG_LEVEL: 'warn',
        // The partner and the receiver of the webhook.
        OUTBOUND_ALLOW: '127.0.0.0/8',
        DATABASE_URL: through(links.PostgreSQL, stores.databaseUrl),
        CLICKHOUSE_URL: through(links.ClickHouse, stores.clickhouseUrl),
        REDIS_URL: through(links.Redis, stores.redisUrl),
        ...(isGateway
          ? { OCPP_PORT: String(ports[name]), GATEWAY_METRICS_PORT: String(healthPort) }
          : { PORT: String(ports[name]) }),
      },
      healthUrl: `http://127.0.0.1:${healthPort}/health/ready`,
      log: join(directory, `${name}.log`),
    });
  });
  const targets: Record<ProductName, number[]> = {
    'gateway-1': [ports['gateway-1'], ports['gateway-2']],
    'gateway-2': [ports['gateway-2'], ports['gateway-1']],
    'api-1': [ports['api-1']],
    'api-2': [ports['api-2']],
  };
  const fronts = await recordOf(productNames, (name) => Link.open(targets[name]));
  const stop = async (): Promise<void> => {
    await Promise.all(Object.values(products).map((product) => product.stop()));
    const links = [
      ...Object.values(fronts),
      ...Object.values(storeLinks).flatMap((each) => Object.values(each)),
    ];
    await Promise.all(links.map((link) => link.close()));
  };
  try {
    await Promise.all(Object.values(products).map((product) => product.ready()));
  } catch (error) {
    await stop();
    throw error;
  }
  return { products, fronts, storeLinks, stop };
}

async function openStoreLinks(stores: StoreUrls): Promise<Record<StoreName, Link>> {
  const urls = { PostgreSQL: stores.databaseUrl, ClickHouse: stores.clickhouseUrl, Redis: stores.redisUrl };
  return recordOf(storeNames, (name) => Link.open([Number(new URL(urls[name]).port)]));
}

/** Returns the address of a store through a link. */
function through(link: Link, url: string): string {
  const changed = new URL(url);
  changed.hostname = '127.0.0.1';
  changed.port = String(link.port);
  return changed.href;
}

async function recordOf<Name extends string, Value>(
  names: readonly Name[],
  create: (name: Name) => Promise<Value>,
): Promise<Record<Name, Value>> {
  const entries = await Promise.all(names.map(async (name) => [name, await create(name)] as const));
  return Object.fromEntries(entries) as Record<Name, Value>;
}
