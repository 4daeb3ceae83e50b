import type { CertificateIssuer } from '#gateway/certificates/issuer.ts';
import type { Batcher } from '#gateway/ingest/batcher.ts';
import type { Coalescer } from '#gateway/ingest/coalescer.ts';
import type { MeterOverrides } from '#gateway/ingest/meter-overrides.ts';
import type { MeterWriter } from '#gateway/ingest/meter-writer.ts';
import type { StatusWriter } from '#gateway/ingest/status-writer.ts';
import type {
  ContractVerificationRequest,
  ContractStatus,
} from '#shared/domain/commands/contract-certificates.ts';
import type { TokenAuthorizationRequest, PartnerAuthorization } from '#shared/domain/roaming/roaming.ts';
import type { ChargerIdentity, OcppVersion } from '#shared/domain/fleet/charger.ts';
import type { ReceivedReport } from '#shared/domain/fleet/charger-reports.ts';
import type { MeterOverride } from '#shared/domain/fleet/meter-override.ts';
import type { BootRecord } from '#shared/postgres/fleet/charger-state.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import type { LiveRecord } from '#shared/postgres/charging/session-writes/live-values.ts';
import type { RunningSession } from '#shared/postgres/charging/running-sessions.ts';
import type { ReadingClock } from './reading-clock.ts';

/** Where a shard's handlers put what chargers say. */
export interface Stores {
  sql: Sql;
  meter: MeterWriter;
  meterOverrides: Pick<MeterOverrides, 'of' | 'forget'>;
  boots: Batcher<BootRecord>;
  statuses: StatusWriter;
  /** What chargers report in their own time: progress, events, their device models. */
  reports: Batcher<ReceivedReport>;
  /** Signs certificates for chargers. */
  certificates: CertificateIssuer;
  /** Asks roaming partners about their tokens; null: no answer in time. */
  roaming: { authorize(question: TokenAuthorizationRequest): Promise<PartnerAuthorization> };
  /** Has contract certificates verified (2.0.1 C07). */
  contracts: { verify(question: ContractVerificationRequest): Promise<ContractStatus> };
  /** Live values of running sessions, by session uuid; written every few seconds. */
  live: Coalescer<string, LiveRecord>;
}

/** What a handler is given: who speaks, when it was heard, and only the stores that it needs. */
export interface Context<Needs extends keyof Stores = never> {
  charger: ChargerIdentity;
  ocppVersion: OcppVersion;
  receivedAt: Date;
  /** The sessions that run at this charger, kept with its connection. */
  running: RunningSession[];
  /** The state of the charger's clock, kept with its connection. */
  readingClock: ReadingClock;
  /** What is to be put right in the charger's readings. */
  meterOverrides: readonly MeterOverride[];
  stores: Pick<Stores, Needs>;
}

/** The context that a shard makes: it fits every handler. */
export type ShardContext = Context<keyof Stores>;
