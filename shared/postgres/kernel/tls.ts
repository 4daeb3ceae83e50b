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
  const mode = parameters.get('sslmode') ?? 'verify-full';
  if (file === null || !mode.startsWith('verify-')) {
    parameters.delete('sslrootcert');
    return { url: withParameters(address, parameters), ssl: null };
  }
  const isNameChecked = mode !== 'verify-ca';
  parameters.delete('sslrootcert');
  parameters.delete('sslmode');
  return {
    url: withParameters(address, parameters),
    ssl: {
      ...(file !== 'system' && { ca: readFileSync(file) }),
      ...(!isNameChecked && { checkServerIdentity: () => undefined }),
    },
  };
}

function withParameters(address: string, parameters: URLSearchParams): string {
  return parameters.size === 0 ? address : `${address}?${parameters.toString()}`;
}
