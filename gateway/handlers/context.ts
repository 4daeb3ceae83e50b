import type { CertificateIssuer } from '#gateway/certificates/issuer.ts';
import type { Batcher } from '#gateway/ingest/batcher.ts';
import type { Coalescer } from '#gateway/ingest/coalescer.ts';
import type { LiveWatches } from '#gateway/ingest/live-watches.ts';
import type { MeterOverrides } from '#gateway/ingest/meter-overrides.ts';
import type { MeterWriter } from '#gateway/ingest/meter-writer.ts';
import type { SignedValueWriter } from '#gateway/ingest/signed-value-writer.ts';
import type { StatusWriter } from '#gateway/ingest/status-writer.ts';
import type {
  CertificateStatusRequest,
  ContractStatus,
  ContractVerificationRequest,
  OcspStatus,
} from '#shared/domain/commands/contract-certificates.ts';
import type {
  PartnerAuthorization,
  TokenAuthorizationRequest,
  UnknownTokenAuthorization,
  UnknownTokenRequest,
} from '#shared/domain/roaming/roaming.ts';
import type { ChargerIdentity } from '#shared/domain/fleet/charger.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { ReceivedReport } from '#shared/domain/commands/charger-reports.ts';
import type { MeterOverride } from '#shared/domain/fleet/meter-override.ts';
import type { BootRecord } from '#shared/postgres/fleet/charger-state.statements.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import type { LiveRecord } from '#shared/postgres/charging/session-writes/live-values.ts';
import type { RunningSession } from '#shared/postgres/charging/running-sessions.statements.ts';
import type { Clock } from '#shared/domain/kernel/system-clock.ts';
import type { LocalTime } from '#shared/domain/fleet/local-time.ts';
import type { ReadingClock } from './reading-clock.ts';
import type { Turns } from './turns.ts';

/** Stores that the handlers of a shard write to. */
export interface Stores {
  sql: Sql;
  meter: MeterWriter;
  meterOverrides: Pick<MeterOverrides, 'known' | 'read' | 'forget'>;
  boots: Batcher<BootRecord>;
  statuses: StatusWriter;
  /** Reports of chargers: progress, events, device models. */
  reports: Batcher<ReceivedReport>;
  /** Signs certificates for chargers. */
  certificates: CertificateIssuer;
  /** Requests authorizations of partners' tokens; resolves to null without an answer in time. */
  roaming: {
    authorize(question: TokenAuthorizationRequest): Promise<PartnerAuthorization>;
    authorizeUnknown(question: UnknownTokenRequest): Promise<UnknownTokenAuthorization>;
  };
  /** Verifies contract certificates (2.0.1 C07); requests the status of certificates. */
  contracts: {
    /** Returns NoCertificateAvailable without an answer in time. */
    verify(request: ContractVerificationRequest): Promise<ContractStatus>;
    /** Returns null without a valid answer in time. */
    statusOf(request: CertificateStatusRequest): Promise<OcspStatus | null>;
  };
  /** Signed meter values of sessions. */
  signed: Pick<SignedValueWriter, 'store' | 'storeUnnamed' | 'skips'>;
  /** Live values of running sessions, by session uuid; written every few seconds. */
  live: Coalescer<string, LiveRecord>;
  /** Watched chargers. */
  watches: Pick<LiveWatches, 'session' | 'connection'>;
}

/** Arguments of a handler: the charger, the time of receipt, and only the stores that the handler needs. */
export interface Context<Needs extends keyof Stores = never> {
  charger: ChargerIdentity;
  ocppVersion: OcppVersion;
  receivedAt: Date;
  /** Clock of the installation, for times in responses. */
  clock: Pick<Clock, 'now'>;
  /** Running sessions of this charger, kept with its connection. */
  running: RunningSession[];
  /** State of the charger's clock, kept with its connection. */
  readingClock: ReadingClock;
  /** Its transactions, one after the other, kept with its connection. */
  turns: Turns;
  /** Meaning of its times without a zone, kept with its connection. */
  localTime: LocalTime;
  /** Corrections of the charger's readings. */
  meterOverrides: readonly MeterOverride[];
  stores: Pick<Stores, Needs>;
}

/** Context that a shard creates, with every store. */
export type ShardContext = Context<keyof Stores>;
