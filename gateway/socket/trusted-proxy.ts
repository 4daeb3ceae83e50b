import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';

/** Client certificate, as read by the proxy in the TLS handshake. */
export interface ClientCertificate {
  /** Common name of the subject; empty when it has none. */
  commonName: string;
  /** True when the certificate is valid now and issued by an authority that the proxy trusts. */
  isVerified: boolean;
}

/** Transport of an upgrade request. */
export interface Transport {
  /** Address of the charger: behind a trusted proxy, the forwarded one. */
  remoteAddress: string;
  /** True when the charger used TLS to a trusted proxy; the gateway itself has no TLS. */
  isTls: boolean;
  certificate: ClientCertificate | null;
  /** True when proxy headers came from an untrusted peer; they were ignored. */
  isPretending: boolean;
}

export interface ProxyTrust {
  /** Addresses and CIDR ranges of the proxies; an empty list trusts none. */
  trustedProxies: readonly string[];
  /** Secret that a proxy must send in addition to its address; null when the address suffices. */
  proxySecret: string | null;
}

/** Returns one header of a request by its lower-case name; an absent one is empty. */
export type ReadHeader = (name: string) => string;

const tlsHeader = 'x-chargeway-tls';
const verifyHeader = 'x-chargeway-client-verify';
const commonNameHeader = 'x-chargeway-client-cn';
const secretHeader = 'x-chargeway-proxy-secret';

/**
 * Returns a reader of transports. TLS ends at a proxy (deploy/operate/proxy), which describes the connection in headers. They
 * are trusted by the address of the proxy and its secret, if one is set; otherwise the transport is plain, from the
 * peer's address.
 * @throws {Error} when an address is invalid; the reader itself does not throw.
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

/** Returns a test whether an address is in a list of addresses and CIDR ranges; IPv4-mapped IPv6 counts as IPv4. */
function addressList(entries: readonly string[]): (address: string) => boolean {
  // Called for every connecting charger; the lookup in a list costs more than the rest of the transport.
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

/** Returns the last address that is not a trusted proxy: the client can forge earlier ones. */
function forwardedAddress(header: string, isProxy: (address: string) => boolean): string | null {
  const hops = header.split(',').map((hop) => hop.trim());
  const last = hops.findLast((hop) => !isProxy(hop));
  return last === undefined || isIP(last) === 0 ? null : last;
}

/** Reads the client certificate. The name is in base64, so that none of its bytes can become header syntax. */
function certificateOf(header: ReadHeader): ClientCertificate | null {
  const result = header(verifyHeader);
  if (result === '') return null;
  return {
    commonName: Buffer.from(header(commonNameHeader), 'base64').toString('utf8'),
    // OpenSSL's X509_V_OK.
    isVerified: result === '0',
  };
}

/** Compares two texts of any length in constant time. */
function sameText(a: string, b: string): boolean {
  const [first, second] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}
