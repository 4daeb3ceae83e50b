import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';

/** A client certificate, as the proxy read it from the TLS handshake. */
export interface ClientCertificate {
  /** The common name of its subject; empty when it has none. */
  commonName: string;
  /** Whether it is valid now and was issued by an authority that the proxy trusts. */
  isVerified: boolean;
}

/** What is known of the connection that an upgrade request came over. */
export interface Transport {
  /** The charger's own address: behind a trusted proxy the one that the proxy forwards. */
  remoteAddress: string;
  /** Whether the charger spoke TLS to a trusted proxy; the gateway itself speaks none. */
  isTls: boolean;
  certificate: ClientCertificate | null;
  /** Proxy headers came from somebody who is not the trusted proxy; they were ignored. */
  isPretending: boolean;
}

export interface ProxyTrust {
  /** Addresses and CIDR ranges of the proxies; none: nobody is believed. */
  trustedProxies: readonly string[];
  /** What a proxy must present beside its address; null: its address is enough. */
  proxySecret: string | null;
}

/** Reads one header of a request by its name in lower case; an absent one is empty. */
export type ReadHeader = (name: string) => string;

const tlsHeader = 'x-chargeway-tls';
const verifyHeader = 'x-chargeway-client-verify';
const commonNameHeader = 'x-chargeway-client-cn';
const secretHeader = 'x-chargeway-proxy-secret';

/**
 * Tells how a charger came: TLS ends at a proxy (deploy/proxy), which says in headers what it saw. They count only
 * from a proxy that is trusted by its address and, where one is set, by its secret: from anyone else the
 * connection is what it is, plain and from its own address.
 * @throws {Error} from here, not from the reader, when an address is none.
 */
export function transportReader(trust: ProxyTrust): (peer: string, header: ReadHeader) => Transport {
  const proxies = addressList(trust.trustedProxies);
  const isTrusted = (peer: string, header: ReadHeader): boolean =>
    proxies(peer) && (trust.proxySecret === null || sameText(header(secretHeader), trust.proxySecret));
  return (peer, header) => {
    if (isTrusted(peer, header)) {
      return {
        remoteAddress: forwardedAddress(header('x-forwarded-for'), proxies) ?? peer,
        isTls: header(tlsHeader) !== '',
        certificate: certificateOf(header),
        isPretending: false,
      };
    }
    const isPretending = [tlsHeader, verifyHeader, commonNameHeader].some((name) => header(name) !== '');
    return { remoteAddress: peer, isTls: false, certificate: null, isPretending };
  };
}

/** Tells whether an address is in a list of addresses and CIDR ranges; IPv4 in IPv6 form counts as IPv4. */
function addressList(entries: readonly string[]): (address: string) => boolean {
  // Asked for every charger that connects, and a list costs more to ask than all else of its transport.
  if (entries.length === 0) return () => false;
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = familyOf(address);
    if (family === null) throw new Error(`${entry} is no address`);
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const family = familyOf(address);
    return family !== null && list.check(address, family);
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address);
  if (version === 0) return null;
  return version === 4 ? 'ipv4' : 'ipv6';
}

/** The last address that no trusted proxy has: what stands before it anyone may have written. */
function forwardedAddress(header: string, isProxy: (address: string) => boolean): string | null {
  const hops = header.split(',').map((hop) => hop.trim());
  const last = hops.findLast((hop) => !isProxy(hop));
  return last === undefined || isIP(last) === 0 ? null : last;
}

/** The name comes in base64, so that no byte of a certificate can become part of a header's syntax. */
function certificateOf(header: ReadHeader): ClientCertificate | null {
  const result = header(verifyHeader);
  if (result === '') return null;
  return {
    commonName: Buffer.from(header(commonNameHeader), 'base64').toString('utf8'),
    // OpenSSL's X509_V_OK.
    isVerified: result === '0',
  };
}

/** Compares in constant time, whatever the lengths. */
function sameText(a: string, b: string): boolean {
  const [first, second] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}
