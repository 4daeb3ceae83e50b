import { resolve } from 'node:path';
import { runMain } from '#shared/config/run.ts';
import { openLocalAuthority } from '#shared/certificates/local-authority.ts';

/**
 * `npm run authority -- DIRECTORY`: makes the certificate authority that several gateways share
 * (`CERTIFICATE_AUTHORITY_DIR`), or leaves the one that is there.
 */
async function main(): Promise<void> {
  const [name] = process.argv.slice(3);
  if (name === undefined) throw new Error('Specify a directory: npm run authority -- DIRECTORY');
  const directory = resolve(name);
  await openLocalAuthority(directory);
  console.log(
    `The authority is in ${directory}: root.pem for the proxy, key.pem for the gateways only. ` +
      'A holder of key.pem can connect as any charger of security profile 3.',
  );
}

await runMain(main);
