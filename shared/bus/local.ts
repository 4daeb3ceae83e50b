import type { Bus, WindowCount } from './contract.ts';
import { LocalHub } from './local-hub.ts';
import { LocalLink } from './local-link.ts';
import { silentLog, type BusLog } from './log.ts';
import { joinBus, newIdentity } from './member.ts';
import type { Claim, PresenceStore, Transport } from './transport.ts';

interface LocalBusOptions {
  /** Members of the same name in the same process meet. */
  name: string;
  /** The member's name, unique among all members; by default a random one. */
  node?: string | undefined;
  /** Time in ms after which a dead member disappears from presence; the same for all members. */
  presenceTtlMs?: number | undefined;
  /** Exactly one member, on the thread that lives as long as the process, is the hub; the bus ends with it. */
  hub?: boolean | undefined;
  log?: BusLog | undefined;
}

/**
 * Joins the bus of this process: any number of members, in any threads.
 * @throws {BusUnavailableError} when no hub of this name answers within 5 s.
 */
export async function createLocalBus(options: LocalBusOptions): Promise<Bus> {
  const { name, node, presenceTtlMs = 6000, log = silentLog } = options;
  const identity = newIdentity(node);
  const hub = options.hub === true ? new LocalHub(name, presenceTtlMs) : null;
  const link = new LocalLink(name, identity.instance);
  return joinBus({
    identity,
    transport: localTransport(link, hub),
    store: localPresence(link),
    counters: {
      count: async (key, windowMs) => (await link.call({ op: 'count', key, windowMs })) as WindowCount,
    },
    presenceTtlMs,
    log,
  });
}

function localTransport(link: LocalLink, hub: LocalHub | null): Transport {
  return {
    start: (events) => link.open(events),
    listen: async (topic) => void (await link.call({ op: 'listen', topic })),
    unlisten: async (topic) => void (await link.call({ op: 'unlisten', topic })),
    // Copied, for a small Buffer is a view of a large pool, which would be cloned whole.
    send: async (topic, bytes) =>
      (await link.call({ op: 'send', topic, bytes: new Uint8Array(bytes) })) as number,
    ping: async () => void (await link.call({ op: 'beat' })),
    close: async () => {
      link.close();
      hub?.close();
      return Promise.resolve();
    },
  };
}

function localPresence(link: LocalLink): PresenceStore {
  return {
    claim: async (claims) => (await link.call({ op: 'claim', claims })) as (Claim | null)[],
    announce: async (claims) => void (await link.call({ op: 'announce', claims })),
    release: async (claim) => (await link.call({ op: 'release', claim })) as boolean,
    lookup: async (key) => (await link.call({ op: 'lookup', key })) as Claim | null,
    list: async () => (await link.call({ op: 'list' })) as Claim[],
    refresh: async () => (await link.call({ op: 'beat' })) as boolean,
    leave: async () => void (await link.call({ op: 'leave' })),
  };
}
