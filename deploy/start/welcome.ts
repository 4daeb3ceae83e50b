import { ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import { existsSync } from 'node:fs';
import type { Config } from '#shared/config/config.ts';
import { credentialsPath, type FirstCredentials } from '#deploy/start/first-key.ts';
import type { RunningStores } from './stores.ts';

/** Returns the message of `npm start` when it is ready: all addresses, and the first key, once. */
export function welcome(system: {
  config: Config;
  apiUrl: string;
  stores: RunningStores;
  credentials: FirstCredentials | null;
}): string {
  const { config, apiUrl, stores, credentials } = system;
  // Since the start of the process.
  const seconds = (performance.now() / 1000).toFixed(1);
  const path = credentialsPath(config.dataDir);
  const lines = [
    '',
    `chargeway is ready after ${seconds} s.`,
    '',
    `  API             ${apiUrl}`,
    `  Console         ${apiUrl}/console`,
    `  API docs        ${apiUrl}/docs`,
    `  OCPP            ws://${config.host}:${config.ocppPort}/ocpp/{uid}   (${ocppVersions.join(', ')}; ${config.shards} shards)`,
    `  Data            ${config.dataDir}`,
    `  Embedded        ${stores.embedded.length === 0 ? 'nothing' : stores.embedded.join(', ')}`,
  ];
  if (credentials !== null) {
    lines.push(
      '',
      `  Network         ${credentials.networkId}   (default)`,
      `  Operator key    ${credentials.operatorKey}   (X-API-Key for /cpms/v1)`,
      `  EMSP key        ${credentials.emspKey}   (X-API-Key for /emsp/v1)`,
      `  The keys are shown this once, and kept in ${path}.`,
    );
  } else if (existsSync(path)) {
    lines.push('', `  Keys            ${path}`);
  }
  lines.push('', '  A fleet to watch: npm run demo      Stop: Ctrl-C', '');
  return lines.join('\n');
}
