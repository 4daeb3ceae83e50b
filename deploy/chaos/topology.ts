import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#shared/testing/free-port.ts';
import { mountSmallDisk } from '#shared/testing/small-disk.ts';
import { Link } from './link.ts';
import { presentCheckout, Product } from './product.ts';
import { openStoreLinks, type StoreLinks, type StoreUrls } from './store-links.ts';

export const gatewayNames = ['gateway-1', 'gateway-2'] as const;
export const apiNames = ['api-1', 'api-2'] as const;
export const productNames = [...gatewayNames, ...apiNames] as const;
export type ProductName = (typeof productNames)[number];

/** Two gateways and two API processes; every connection to a store or from a client leads through a link. */
export interface Topology {
  products: Record<ProductName, Product>;
  /** Links from clients to a process. Chargers get the other gateway while theirs refuses connections. */
  fronts: Record<ProductName, Link>;
  /** Links from a process to the stores. */
  storeLinks: Record<ProductName, StoreLinks>;
  /** Directory of the small disk of gateway-1, or why none could be mounted. */
  disk: { path: string } | { refusal: string };
  stop(): Promise<void>;
}

/** Size of the disk of gateway-1, and the free bytes below which it refuses readings. */
const diskMebibytes = 128;
const walFloorBytes = 8 * 2 ** 20;

/** Starts the processes of the version in `checkout`, with their data and logs in `directory`. */
export async function startTopology(
  stores: StoreUrls,
  directory: string,
  checkout = presentCheckout,
): Promise<Topology> {
  const ports = await recordOf(productNames, () => freePort());
  const storeLinks = await recordOf(productNames, () => openStoreLinks(stores));
  const diskPath = join(directory, 'gateway-1');
  const mounted = mountSmallDisk(diskPath, diskMebibytes);
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
        DATABASE_URL: links.PostgreSQL.url,
        CLICKHOUSE_URL: links.ClickHouse.url,
        REDIS_URL: links.Redis.url,
        WAL_FLOOR_BYTES: String(walFloorBytes),
        ...(isGateway
          ? { OCPP_PORT: String(ports[name]), GATEWAY_METRICS_PORT: String(healthPort) }
          : { PORT: String(ports[name]) }),
      },
      healthUrl: `http://127.0.0.1:${healthPort}/health/ready`,
      log: join(directory, `${name}.log`),
      clock: join(directory, `${name}.clock`),
      checkout,
      isCutOff: () => Object.values(links).some((store) => store.links.some((link) => !link.isOpen)),
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
    const ofStores = Object.values(storeLinks).flatMap((each) => Object.values(each));
    const links = [...Object.values(fronts), ...ofStores.flatMap((store) => store.links)];
    await Promise.all(links.map((link) => link.close()));
    if ('unmount' in mounted) mounted.unmount();
  };
  try {
    await Promise.all(Object.values(products).map((product) => product.ready()));
  } catch (error) {
    await stop();
    throw error;
  }
  const disk = 'refusal' in mounted ? mounted : { path: diskPath };
  return { products, fronts, storeLinks, disk, stop };
}

async function recordOf<Name extends string, Value>(
  names: readonly Name[],
  create: (name: Name) => Promise<Value>,
): Promise<Record<Name, Value>> {
  const entries = await Promise.all(names.map(async (name) => [name, await create(name)] as const));
  return Object.fromEntries(entries) as Record<Name, Value>;
}
