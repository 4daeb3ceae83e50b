import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { audit } from '#api/services/access/audit.ts';
import { allPublicScopes } from '#shared/domain/access/public-scopes.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { hashSecret, newApiKey } from '#shared/domain/kernel/secrets.ts';
import { type ApiFamily, hasApiKeys, insertApiKey } from '#shared/postgres/access/api-keys.statements.ts';
import type { Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { ensureNetwork } from '#shared/postgres/fleet/networks.statements.ts';

/** The first network's keys, as `credentials.json` keeps them. */
export interface FirstCredentials {
  /** The uuid of the network `default`. */
  networkId: string;
  /** Unrestricted, every scope: `X-API-Key` for /cpms/v1. */
  operatorKey: string;
  /** The network's operator key for /emsp/v1. */
  emspKey: string;
}

/** Returns the path of `credentials.json`. */
export function credentialsPath(dataDir: string): string {
  return join(dataDir, 'credentials.json');
}

/**
 * On a database without operator keys: makes the network `default` and its first keys, and keeps them in
 * `credentials.json`, readable only by its owner. Otherwise changes nothing and answers null.
 */
export async function createFirstKey(sql: Sql, dataDir: string): Promise<FirstCredentials | null> {
  return sql.begin(async (transaction) => {
    // Two that start at once must not both find an empty database.
    await transaction`lock table api_keys in exclusive mode`;
    if (await hasApiKeys(transaction, 'cpms')) return null;
    const network = await ensureNetwork(transaction, { slug: 'default', name: 'Default network' });
    const credentials: FirstCredentials = {
      networkId: network.uuid,
      operatorKey: (await mint(transaction, 'cpms', null)).key,
      emspKey: (await mint(transaction, 'emsp', network.id)).key,
    };
    // Written before the commit: a key that is only in the database would be lost for good.
    await keep(credentials, dataDir);
    return credentials;
  });
}

/**
 * Another operator key that is unrestricted and has every scope, for an operator whose last one is lost, revoked or expired:
 * who reaches the database may make one.
 */
export async function createNewKey(sql: Sql): Promise<string> {
  const name = 'Operator key made by bootstrap';
  return sql.begin(async (transaction) => {
    const { key, uuid } = await mint(transaction, 'cpms', null, name);
    await audit(
      transaction,
      { part: 'bootstrap' },
      {
        networkId: null,
        category: 'api-key',
        action: 'create',
        resourceId: uuid,
        resourceName: name,
        description: `api-key ${name}: create`,
        details: { before: null, after: { unrestricted: true, scopes: grantableScopes } },
      },
    );
    return key;
  });
}

async function mint(
  transaction: Transaction,
  apiFamily: ApiFamily,
  networkId: number | null,
  name = 'First operator key',
): Promise<{ key: string; uuid: string }> {
  const key = newApiKey(apiFamily);
  const { uuid } = await insertApiKey(transaction, {
    apiFamily,
    secretHash: hashSecret(key),
    keyPrefix: key.slice(0, 12),
    last4: key.slice(-4),
    name,
    unrestricted: networkId === null,
    networkIds: networkId === null ? [] : [networkId],
    userId: null,
    scopes: apiFamily === 'cpms' ? grantableScopes : allPublicScopes,
  });
  return { key, uuid };
}

async function keep(credentials: FirstCredentials, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const path = credentialsPath(dataDir);
  await writeFile(`${path}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await chmod(`${path}.new`, 0o600);
  await rename(`${path}.new`, path);
}
