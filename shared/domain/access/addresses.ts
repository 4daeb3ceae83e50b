import ipaddr from 'ipaddr.js';
import { BlockList, isIP } from 'node:net';

/**
 * Returns whether a text is an IPv4 or IPv6 address or a CIDR range. An address with a zone (`%eth0`) is
 * refused.
 */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = address.includes('%') ? -1 : ({ 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1);
  if (bits === -1 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
}

/**
 * Returns whether an address equals one of the given addresses or lies in one of the ranges. An IPv4 address
 * matches in both notations, `192.0.2.1` and `::ffff:192.0.2.1`.
 */
export function isAddressAmong(address: string, ranges: readonly string[]): boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [start = '', prefix] = range.split('/');
    const family = familyOf(start);
    if (prefix === undefined) list.addAddress(start, family);
    else list.addSubnet(start, Number(prefix), family);
  }
  return isIP(address) !== 0 && list.check(address, familyOf(address));
}

/**
 * Returns true when an address is a public unicast one: neither private, nor local, nor of a special use. An IPv4-mapped address counts as the
 * IPv4 address. Every other form of IPv6 that carries an IPv4 address is refused, for a host or a router may deliver it there:
 * IPv4-compatible and translated addresses, NAT64, 6to4, Teredo (RFC 6890) and ISATAP (RFC 5214 §6.1).
 */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  if (!(parsed instanceof ipaddr.IPv6)) return true;
  const [first = 0, , , , interfaceId = 0, marker] = parsed.parts;
  const isIsatap = marker === 0x5efe && (interfaceId === 0 || interfaceId === 0x0200);
  // IANA has assigned global unicast addresses only within 2000::/3.
  return first >> 13 === 1 && !isIsatap;
}

/** Returns true when a range, or a single address, lies within one of `ranges` as a whole. */
export function isRangeWithin(range: string, ranges: readonly string[]): boolean {
  const inner = cidrOf(range);
  return ranges.map(cidrOf).some(({ address, bits }) => {
    if (bits > inner.bits || address.kind() !== inner.address.kind()) return false;
    return inner.address.match(address, bits);
  });
}

/** A range with the length of its prefix; an IPv4 range is the same in its IPv4-mapped form (RFC 4291 §2.5.5.2). */
function cidrOf(range: string): { address: ipaddr.IPv4 | ipaddr.IPv6; bits: number } {
  const [start = '', prefix] = range.split('/');
  const address = ipaddr.parse(start);
  const bits = prefix === undefined ? address.toByteArray().length * 8 : Number(prefix);
  if (!(address instanceof ipaddr.IPv6) || !address.isIPv4MappedAddress() || bits < 96)
    return { address, bits };
  return { address: address.toIPv4Address(), bits: bits - 96 };
}

/**
 * Returns the part of a client's address that limits are counted by: the whole IPv4 address, in either
 * notation, or the /64 of an IPv6 address. A host may use any address of its own /64 (RFC 4291 §2.5.1, RFC
 * 8981).
 */
export function placeOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
