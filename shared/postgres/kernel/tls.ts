import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/**
 * Takes `sslrootcert`, a file of certificates, out of a PostgreSQL URL, which the driver does not know. `ssl` is null when the
 * URL has none.
 * @throws {Error} when the file is not readable.
 */
export function trustedRoots(url: string): { url: string; ssl: ConnectionOptions | null } {
  const [address = '', query = ''] = url.split('?');
  const parameters = new URLSearchParams(query);
  const file = parameters.get('sslrootcert');
  if (file === null || file === 'system') return { url, ssl: null };
  const isNameChecked = parameters.get('sslmode') !== 'verify-ca';
  parameters.delete('sslrootcert');
  parameters.delete('sslmode');
  return {
    url: parameters.size === 0 ? address : `${address}?${parameters.toString()}`,
    ssl: { ca: readFileSync(file), ...(!isNameChecked && { checkServerIdentity: () => undefined }) },
  };
}
