import { withoutSocket } from '#shared/embedded/postgres/unix-socket.ts';
import { Link } from './link.ts';

export const storeNames = ['PostgreSQL', 'ClickHouse', 'Redis'] as const;
export type StoreName = (typeof storeNames)[number];

/** Addresses of the stores, which are migrated. Their servers listen on 127.0.0.1. */
export interface StoreUrls {
  databaseUrl: string;
  clickhouseUrl: string;
  redisUrl: string;
  /** Ports of the servers that the Sentinels of `redisUrl` name. Without Sentinels: none. */
  redisServerPorts?: readonly number[];
}

/** Way of a process to a store: one link for each server, and the store's address through them. */
interface StoreLink {
  url: string;
  links: Link[];
}

export type StoreLinks = Record<StoreName, StoreLink>;

const serverPort = /(?<=127\.0\.0\.1:)\d+/g;

/** Opens the links of one process to all servers of the stores. */
export async function openStoreLinks(stores: StoreUrls): Promise<StoreLinks> {
  const { databaseUrl, clickhouseUrl, redisUrl, redisServerPorts = [] } = stores;
  return {
    PostgreSQL: await linkTo(withoutSocket(databaseUrl)),
    ClickHouse: await linkTo(clickhouseUrl),
    Redis: await linkTo(redisUrl, redisServerPorts),
  };
}

/**
 * Opens links to the servers in an address.
 * @param named ports of servers that the ones in the address name in their answers. Links lead to these as well, and the
 * answers are translated.
 */
async function linkTo(url: string, named: readonly number[] = []): Promise<StoreLink> {
  const ports = new Map<string, string>();
  const translate = (text: string): string => text.replace(/\b\d+\b/g, (port) => ports.get(port) ?? port);
  const translateAnswer = (answer: Buffer): Buffer =>
    Buffer.from(translate(answer.toString('latin1')), 'latin1');
  const open = async (port: string, isTranslated: boolean): Promise<Link> => {
    const link = await Link.open([Number(port)], ...(isTranslated ? [translateAnswer] : []));
    const through = String(link.port);
    // Answers of Redis carry the length of each text.
    if (isTranslated && through.length !== port.length)
      throw new Error(`${port} has another length than ${through}`);
    ports.set(port, through);
    return link;
  };
  const links: Link[] = [];
  for (const port of named) links.push(await open(String(port), false));
  for (const [port] of url.matchAll(serverPort)) links.push(await open(port, named.length > 0));
  return { url: url.replace(serverPort, (port) => ports.get(port) ?? port), links };
}
