import { readFileSync } from 'node:fs';
import { runningStores } from '#deploy/start/runtime-file.ts';
import { credentialsPath, type FirstCredentials } from '#deploy/start/first-key.ts';
import { loadConfig } from '#shared/config/config.ts';
import { unknownStatus } from '#shared/domain/fleet/charger.ts';
import { hashSecret, newChargerPassword } from '#shared/domain/kernel/secrets.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';

/**
 * Registers chargers in the first network of the running system in one statement, and prints their ids and passwords as
 * JSON: for the bench, whose fleets are too large for a request per charger. The first argument (JSON) has their
 * number and the prefix of their uids.
 */
const config = loadConfig();
const { networkId } = JSON.parse(readFileSync(credentialsPath(config.dataDir), 'utf8')) as FirstCredentials;
const { count, prefix } = JSON.parse(process.argv[3] ?? '') as { count: number; prefix: string };
const sql = openPostgres(runningStores(config).databaseUrl, { name: 'chargeway-demo', connections: 1 });
const chargers = Array.from({ length: count }, (_, number) => ({
  uid: `${prefix}-${String(number).padStart(6, '0')}`,
  password: newChargerPassword(),
}));
const rows = await sql<{ uid: string; id: string }[]>`
  insert into chargers (network_id, uid, evse_id, serial_number, status, password_hash, registration)
  select n.id, r.uid, 'NL*BEN*E' || replace(r.uid, '-', '*'), r.uid, ${unknownStatus}, decode(r.hash, 'hex'),
    n.new_charger_registration
  from networks n, unnest(${chargers.map(({ uid }) => uid)}::text[],
    ${chargers.map(({ password }) => hashSecret(password).toString('hex'))}::text[]) as r(uid, hash)
  where n.uuid = ${networkId}
  returning uid, uuid as id`;
await sql.end();
const ids = new Map(rows.map(({ uid, id }) => [uid, id]));
console.log(JSON.stringify(chargers.map((charger) => ({ ...charger, id: ids.get(charger.uid) }))));
