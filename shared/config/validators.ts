import { EnvError, makeValidator } from 'envalid';
import { isAddressRange } from '#shared/domain/access/addresses.ts';
import { parseClickHouseUrl } from '#shared/domain/kernel/clickhouse-address.ts';
import { parseRedisUrl } from '#shared/domain/kernel/redis-address.ts';

/** Whole number within bounds, both included. */
export const wholeNumber = (from: number, to: number) =>
  makeValidator<number>((input: string) => {
    const value = Number(input);
    if (!/^\d+$/.test(input.trim()) || value < from || value > to) {
      throw new EnvError(`must be a whole number from ${from} to ${to}, not "${input}"`);
    }
    return value;
  });

/** Retention in days, both bounds included; 0: indefinitely. */
export const daysOrForever = (least: number, most: number) =>
  makeValidator<number>((input: string) => {
    const days = Number(input);
    if (!/^\d+$/.test(input.trim()) || (days !== 0 && (days < least || days > most))) {
      throw new EnvError(
        `must be 0 (indefinitely), or a whole number of days from ${least} to ${most}, not "${input}"`,
      );
    }
    return days;
  });

/** Decimal number from 0 to 1. */
export const fraction = makeValidator<number>((input: string) => {
  const value = Number(input);
  if (input.trim() === '' || !(value >= 0 && value <= 1)) {
    throw new EnvError(`must be a number from 0 to 1, not "${input}"`);
  }
  return value;
});

/** URL of a store with one of the given protocols. */
export const storeUrl = (...protocols: string[]) =>
  makeValidator<string>((input: string) => {
    const protocol = URL.canParse(input) ? new URL(input).protocol.slice(0, -1) : null;
    // The value may hold a password, so it is not repeated.
    if (protocol === null || !protocols.includes(protocol)) {
      throw new EnvError(`must be a URL that begins with ${protocols.map((p) => `${p}://`).join(' or ')}`);
    }
    return input;
  });

/** URL of one Redis, of a Redis Cluster, or of Sentinels. */
export const redisUrl = makeValidator<string>((input: string) => {
  try {
    parseRedisUrl(input);
  } catch (error) {
    throw new EnvError(error instanceof Error ? error.message : 'is not valid');
  }
  return input;
});

/** URL of a ClickHouse database, with commas between its hosts. */
export const clickhouseUrl = makeValidator<string>((input: string) => {
  // The value may hold a password, so it is not repeated.
  if (parseClickHouseUrl(input) === null) {
    throw new EnvError(
      'must be a URL that begins with http:// or https://, with commas between several hosts',
    );
  }
  return input;
});

/** URL of one PostgreSQL server. */
export const replicaUrl = makeValidator<string>((input: string) => {
  const url = URL.canParse(input) ? new URL(input) : null;
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol) || url.host.includes(',')) {
    throw new EnvError('must be a URL that begins with postgres:// or postgresql://, with one host');
  }
  return input;
});

/** URL of PostgreSQL, with one host or several: `postgres://user:password@db1:5432,db2:5432/chargeway`. */
export const databaseUrl = makeValidator<string>((input: string) => {
  const oneHost = input.replace(/^([a-z]+:\/\/(?:[^@/?]*@)?[^,/?]*)[^/?]*/, '$1');
  const protocol = URL.canParse(oneHost) ? new URL(oneHost).protocol : '';
  if (!['postgres:', 'postgresql:'].includes(protocol)) {
    // The value may hold a password, so it is not repeated.
    throw new EnvError('must be a URL that begins with postgres:// or postgresql://');
  }
  return input;
});

/** Name in the configuration of servers. */
export const clusterName = makeValidator<string>((input: string) => {
  if (!/^[\w-]{1,64}$/.test(input)) {
    throw new EnvError('must be the name of a cluster: up to 64 letters, digits, "_" and "-"');
  }
  return input;
});

/** Without a slash at the end. */
export const baseUrl = makeValidator<string>((input: string) => {
  const protocol = URL.canParse(input) ? new URL(input).protocol : null;
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new EnvError('must be a URL that begins with http:// or https://');
  }
  return input.replace(/\/+$/, '');
});

/** Without a slash at the end. */
export const chargerUrl = makeValidator<string>((input: string) => {
  const url = URL.canParse(input) ? new URL(input) : null;
  if (url === null || !['ws:', 'wss:'].includes(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new EnvError('must be a URL that begins with ws:// or wss://, without a query');
  }
  return input.replace(/\/+$/, '');
});

/** Text with a visible character. */
export const nonEmpty = makeValidator<string>((input: string) => {
  if (input.trim() === '') throw new EnvError('must not be empty');
  return input;
});

/** Addresses and CIDR ranges, with commas in between. */
export const addresses = makeValidator<string[]>((input: string) => {
  const entries = input.split(',').map((entry) => entry.trim());
  const given = entries.filter((entry) => entry !== '');
  for (const entry of given)
    if (!isAddressRange(entry)) throw new EnvError(`"${entry}" is no address or range`);
  return given;
});

/** Exact origins, with commas in between, as browsers send them: scheme, host and port, nothing else. */
export const origins = makeValidator<string[]>((input: string) => {
  const given = input.split(',').map((entry) => entry.trim());
  const entries = [...new Set(given.filter((entry) => entry !== ''))];
  for (const entry of entries) {
    const isWeb = /^https?:/.test(entry) && URL.canParse(entry);
    if (!isWeb || entry.includes('*') || new URL(entry).origin !== entry) {
      throw new EnvError(
        `"${entry}" is no origin: write https://app.example.org, without a path, in lower case`,
      );
    }
  }
  return entries;
});

/** As tokens name their issuer, exactly. In the clear on this machine only: keys come from there. */
export const issuerUrl = makeValidator<string>((input: string) => {
  const url = URL.canParse(input) ? new URL(input) : null;
  const isLocal = url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  if (url?.protocol !== 'https:' && !isLocal) throw new EnvError('must be a URL that begins with https://');
  return input;
});

/** Raster tiles for browsers: an address of tiles, or of a PMTiles file. */
export const tilesUrl = makeValidator<string>((input: string) => {
  const isUrl = URL.canParse(input) && /^https?:/.test(input);
  const isTemplate = ['{z}', '{x}', '{y}'].every((part) => input.includes(part));
  if (isUrl && (isTemplate || input.endsWith('.pmtiles'))) return input;
  throw new EnvError('must be a URL with {z}, {x} and {y}, or one that ends with .pmtiles');
});

/** Scopes with spaces in between (RFC 6749 §3.3). OpenID Connect requires `openid`. */
export const openIdScopes = makeValidator<string>((input: string) => {
  const scopes = input.split(' ').filter((scope) => scope !== '');
  if (!scopes.includes('openid')) throw new EnvError('must contain openid, with spaces between scopes');
  return scopes.join(' ');
});

/** Only the address. The displayed name is the name of the network. */
export const mailAddress = makeValidator<string>((input: string) => {
  if (!/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(input))
    throw new EnvError('must be an e-mail address, without a name');
  return input;
});

/** Secret that travels in a header. */
export const secret = makeValidator<string>(checkedSecret);

/** Secrets with spaces or line ends in between. */
export const secrets = makeValidator<string[]>((input: string) =>
  input
    .split(/\s+/)
    .filter((entry) => entry !== '')
    .map(checkedSecret),
);

function checkedSecret(input: string): string {
  // The value is not repeated.
  if (!/^[!-~]{16,200}$/.test(input)) throw new EnvError('must be 16 to 200 visible ASCII characters');
  return input;
}
