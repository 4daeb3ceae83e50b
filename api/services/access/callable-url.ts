import { wrongField } from '#api/services/kernel/validation.service.ts';
import type { Outbound } from './outbound.ts';

/** Time for which the address of a new URL is looked up, in ms. */
const lookUpMs = 3000;

/** Refuses a URL that events or alerts cannot be sent to. @throws {DomainError} VALIDATION_FAILED. */
export async function requireCallableUrl(outbound: Outbound, url: string): Promise<void> {
  const refused = wrongField(
    'url',
    'must be an https URL of a public address, or a URL of an address in OUTBOUND_ALLOW',
  );
  if (!URL.canParse(url)) throw refused;
  const { username, password, hash } = new URL(url);
  if (username !== '' || password !== '') throw wrongField('url', 'must not contain a user name or password');
  if (hash !== '') throw wrongField('url', 'must not contain a fragment');
  if ((await outbound.refusal(url, lookUpMs, true)) !== null) throw refused;
}
