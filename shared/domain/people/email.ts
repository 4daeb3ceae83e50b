import { domainToASCII } from 'node:url';

/** A character of an atom (RFC 5322 §3.2.3, RFC 6531 §3.3): the specials of addresses are out. */
const atom = String.raw`[^\s@()<>\[\]:;,.\\"\u0000-\u001f\u007f]+`;
const dotAtom = String.raw`${atom}(?:\.${atom})*`;

/**
 * Pattern of one e-mail address in its plain form. Display names, angle brackets, comments, groups, lists, quoted names and literal
 * addresses are refused: a mail library reads another address out of them than the one that was compared and counted.
 */
export const emailPattern = `^${dotAtom}@${dotAtom}$`;

/** `emailPattern` with a domain of two labels at least. */
export const internetEmailPattern = String.raw`^${dotAtom}@${atom}(?:\.${atom})+$`;

/**
 * The mailbox that an address leads to, to count by: without the tag of a sub-address (`name+tag@…`, RFC 5233), its domain in ASCII.
 * Letter case is left to the caller.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const [name] = address.slice(0, at).split('+');
  const domain = address.slice(at + 1);
  return `${name}@${domainToASCII(domain) || domain}`;
}
