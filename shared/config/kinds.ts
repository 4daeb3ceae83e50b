import { isAddressRange } from '#shared/domain/access/addresses.ts';
import { parseClickHouseUrl } from '#shared/domain/kernel/clickhouse-address.ts';
import { parseRedisUrl } from '#shared/domain/kernel/redis-address.ts';

/** Kind of values of a variable. */
export interface Kind<T> {
  /** Accepted values, as in "must be …". */
  readonly accepts: string;
  /** Returns the value of a text; undefined if it is invalid. */
  readonly read: (text: string) => T | undefined;
}

/** Text that passes a check. */
const textThat = (accepts: string, isValid: (text: string) => boolean): Kind<string> => ({
  accepts,
  read: (text) => (isValid(text) ? text : undefined),
});

const isWhole = (text: string): boolean => /^\d+$/.test(text.trim());

/** Whole number within bounds, both included. */
export const wholeNumber = (from: number, to: number): Kind<number> => ({
  accepts: `a whole number from ${from} to ${to}`,
  read: (text) => (isWhole(text) && Number(text) >= from && Number(text) <= to ? Number(text) : undefined),
});

/** Retention in days, both bounds included. 0 is read as null: indefinitely. */
export const days = (from: number, to: number): Kind<number | null> => ({
  accepts: `a whole number of days from ${from} to ${to}, or 0: indefinitely`,
  read: (text) => (isWhole(text) && Number(text) === 0 ? null : wholeNumber(from, to).read(text)),
});

/** Decimal number from 0 to 1. */
export const fraction: Kind<number> = {
  accepts: 'a number from 0 to 1',
  read: (text) => (text.trim() !== '' && Number(text) >= 0 && Number(text) <= 1 ? Number(text) : undefined),
};

const truths = new Map([
  ...['true', 't', 'yes', 'on', '1'].map((text) => [text, true] as const),
  ...['false', 'f', 'no', 'off', '0'].map((text) => [text, false] as const),
]);

export const yesOrNo: Kind<boolean> = { accepts: 'true or false', read: (text) => truths.get(text) };

/** One of a list of words. */
export const oneOf = <T extends string>(words: readonly T[]): Kind<T> => ({
  accepts: `one of ${words.join(', ')}`,
  read: (text) => words.find((word) => word === text),
});

/** Text with a visible character. */
export const nonEmpty = textThat('a text that is not empty', (text) => text.trim() !== '');

/** Returns whether a text is a URL with one of the given protocols. */
const hasProtocol = (text: string, ...protocols: string[]): boolean =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol.slice(0, -1));

/** Address of a mail server. */
export const mailServer = textThat('a URL that begins with smtp:// or smtps://', (text) =>
  hasProtocol(text, 'smtp', 'smtps'),
);

/** URL of one Redis, of a Redis Cluster, or of Sentinels. */
export const redisUrl: Kind<string> = {
  accepts: 'a URL that begins with redis://, redis+cluster:// or redis+sentinel://, or with rediss over TLS',
  read: (text) => {
    parseRedisUrl(text);
    return text;
  },
};

/** URL of a ClickHouse database, with commas between its hosts. */
export const clickhouseUrl = textThat(
  'a URL that begins with http:// or https://, with commas between several hosts',
  (text) => parseClickHouseUrl(text) !== null,
);

/** URL of PostgreSQL, with one host or several: `postgres://user:password@db1:5432,db2:5432/chargeway`. */
export const databaseUrl = textThat('a URL that begins with postgres:// or postgresql://', (text) =>
  hasProtocol(text.replace(/^([a-z]+:\/\/(?:[^@/?]*@)?[^,/?]*)[^/?]*/, '$1'), 'postgres', 'postgresql'),
);

/** URL of one PostgreSQL server. */
export const replicaUrl = textThat(
  'a URL that begins with postgres:// or postgresql://, with one host',
  (text) => hasProtocol(text, 'postgres', 'postgresql') && !new URL(text).host.includes(','),
);

/** Name in the configuration of servers. */
export const clusterName = textThat('the name of a cluster: up to 64 letters, digits, "_" and "-"', (text) =>
  /^[\w-]{1,64}$/.test(text),
);

const withoutSlash = (text: string): string => text.replace(/\/+$/, '');

/** Read without a slash at the end. */
export const baseUrl: Kind<string> = {
  accepts: 'a URL that begins with http:// or https://',
  read: (text) => (hasProtocol(text, 'http', 'https') ? withoutSlash(text) : undefined),
};

/** Read without a slash at the end. */
export const chargerUrl: Kind<string> = {
  accepts: 'a URL that begins with ws:// or wss://, without a query',
  read: (text) => {
    const isPlain = hasProtocol(text, 'ws', 'wss') && new URL(text).search + new URL(text).hash === '';
    return isPlain ? withoutSlash(text) : undefined;
  },
};

/** Issuer of tokens, exactly as they name it. Unencrypted on this machine only: keys come from there. */
export const issuerUrl = textThat(
  'a URL that begins with https://',
  (text) =>
    hasProtocol(text, 'https') ||
    (hasProtocol(text, 'http') && ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(text).hostname)),
);

/** Raster tiles for browsers: an address of tiles, or of a PMTiles file. */
export const tilesUrl = textThat(
  'a URL with {z}, {x} and {y}, or one that ends with .pmtiles',
  (text) =>
    hasProtocol(text, 'http', 'https') &&
    (['{z}', '{x}', '{y}'].every((part) => text.includes(part)) || text.endsWith('.pmtiles')),
);

/** E-mail address. The name next to it is the network's. */
export const mailAddress = textThat('an e-mail address, without a name', (text) =>
  /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(text),
);

const isSecret = (text: string): boolean => /^[!-~]{16,200}$/.test(text);

/** Secret that is sent in a header. */
export const secret = textThat('16 to 200 visible ASCII characters', isSecret);

/** Returns the parts of a text that are not empty; undefined if one of them is invalid. */
function parts(text: string, separator: RegExp, isValid: (part: string) => boolean): string[] | undefined {
  const all = text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return all.every(isValid) ? [...new Set(all)] : undefined;
}

/** Secrets with spaces or line ends in between. */
export const secrets: Kind<readonly string[]> = {
  accepts: '16 to 200 visible ASCII characters each, separated by spaces',
  read: (text) => parts(text, /\s+/, isSecret),
};

/** Addresses and CIDR ranges, with commas in between. */
export const addresses: Kind<readonly string[]> = {
  accepts: 'addresses or CIDR ranges, separated by commas',
  read: (text) => parts(text, /,/, isAddressRange),
};

/** Exact origins, with commas in between, as browsers send them: scheme, host and port, nothing else. */
export const origins: Kind<readonly string[]> = {
  accepts: 'origins such as https://app.example.org, in lower case and without a path, separated by commas',
  read: (text) =>
    parts(
      text,
      /,/,
      (part) => hasProtocol(part, 'http', 'https') && !part.includes('*') && new URL(part).origin === part,
    ),
};

/** Scopes with spaces in between (RFC 6749 §3.3). OpenID Connect requires `openid`. */
export const openIdScopes: Kind<string> = {
  accepts: 'scopes separated by spaces, among them openid',
  read: (text) => {
    const scopes = text.split(' ').filter((scope) => scope !== '');
    return scopes.includes('openid') ? scopes.join(' ') : undefined;
  },
};
