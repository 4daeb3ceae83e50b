import { ClickHouseHttp } from './clickhouse-http.ts';
import type { System } from './system.ts';

/** Addresses and keys of a running system. */
export interface Target {
  apiUrl: string;
  ocppUrls: string[];
  operatorKey: string;
  emspKey: string;
  tokens: string[];
  /** Null: rows and parts are not counted. */
  clickhouseUrl: string | null;
}

/** A running system that the bench neither starts nor stops. Its chargers and sessions stay. */
export async function openTarget(target: Target): Promise<System> {
  const clickhouse = target.clickhouseUrl === null ? null : new ClickHouseHttp(target.clickhouseUrl);
  return {
    topology: 'target',
    apiUrl: target.apiUrl,
    ocppUrls: target.ocppUrls,
    operatorKey: target.operatorKey,
    emspKey: target.emspKey,
    tokens: target.tokens,
    clickhouse,
    versions: clickhouse === null ? {} : { ClickHouse: await clickhouse.value('select version()') },
    usage: () => ({}),
  };
}
