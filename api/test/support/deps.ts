import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { openServiceDeps } from '#api/open-deps.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import type { Bus } from '#shared/bus/contract.ts';
import { systemClock } from '#shared/domain/kernel/system-clock.ts';
import { primaryReads } from '#shared/postgres/kernel/replica.ts';
import { createLogger } from '#shared/log/log.ts';
import type { TestStores } from '#shared/testing/stores.ts';

/** Settings of the services in tests: their partners are on this machine. */
export const testSettings = {
  retention: { logDays: 90, readingDays: 3650, recordDays: 1095, auditDays: 3650, personalDays: null },
  publicUrl: 'http://chargeway.test',
  ocppUrl: 'wss://chargeway.test/ocpp',
  firmwareDir: join(tmpdir(), 'chargeway-test-firmware'),
  firmwareMaxBytes: 1024 * 1024,
  exportDir: join(tmpdir(), 'chargeway-test-exports'),
  exportMaxBytes: 1024 ** 3,
  networkRequestsPerMinute: null,
  ocpiStrict: true,
  outboundAllow: ['127.0.0.0/8', '::1'],
  defaultNetwork: null,
  offlineAlertMinutes: 15,
  sealingKey: 'a key of tests, for tests only',
  formerSealingKeys: [],
  dataDir: tmpdir(),
  stripe: null,
  mail: { smtpUrl: null, from: 'chargeway@localhost', outboxDir: join(tmpdir(), 'chargeway-test-outbox') },
  externalIssuer: null,
  openIdClient: null,
};

/** Opens the dependencies of services on stores. */
export function openTestDeps(
  { sql, clickhouse }: Pick<TestStores, 'sql' | 'clickhouse'>,
  bus: Bus,
  clock = systemClock,
) {
  return openServiceDeps({
    sql,
    staleReads: primaryReads(sql),
    clickhouse,
    bus,
    settings: testSettings,
    log: createLogger('test', 'silent'),
    clock,
  });
}

/** Returns the dependencies of services, for the length of a test. */
export async function testDeps(
  t: Pick<Test, 'teardown'>,
  stores: Pick<TestStores, 'sql' | 'clickhouse'>,
  bus: Bus,
): Promise<ApiDeps> {
  const opened = await openTestDeps(stores, bus);
  t.teardown(() => opened.close());
  return opened.deps;
}
