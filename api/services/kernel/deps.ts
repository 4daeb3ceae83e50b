import type { Bus } from '#shared/bus/contract.ts';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import type { JobQueue } from '#shared/postgres/kernel/jobs.ts';
import type { BillRenderer } from '#api/services/money/bills.ts';
import type { ExternalIssuer, ExternalIssuerSettings } from '#api/services/access/external-issuer.ts';
import type { Logos } from '#api/services/fleet/logos.ts';
import type { ExchangeLog } from '#api/services/roaming/exchange-log.ts';
import type { MailSettings, MailTransport } from '#api/services/mail/transport.ts';
import type { Outbound } from '#api/services/access/outbound.ts';
import type { PaymentProvider } from '#api/services/money/payments/provider.ts';

/** What the services are told by the configuration. */
export interface ServiceSettings {
  /** The base address of the API as others reach it, without a slash at the end. */
  publicUrl: string;
  /** Where the bytes of firmware images are, and how many an image may have. */
  firmwareDir: string;
  firmwareMaxBytes: number;
  /** Days that what chargers told of themselves is kept. */
  deviceEventDays: number;
  securityEventDays: number;
  /** Whether the standard's own OCPI 2.2.1 paths are served beside the documented ones. */
  ocpiStrict: boolean;
  /** Addresses and CIDR ranges that may be called although they are not public. */
  outboundAllow: readonly string[];
  /** Slug or uuid of the network of drivers who name none; null: the oldest network. */
  defaultNetwork: string | null;
  /** After how many minutes offline a charger is an alert. */
  offlineAlertMinutes: number;
  /** The account at Stripe that takes drivers' payments; null: payments are off. */
  stripe: { secretKey: string; webhookSecret: string } | null;
  /** How e-mails leave. */
  mail: MailSettings;
  /** The OpenID Connect issuer whose tokens operators may bring; null: none but ours. */
  externalIssuer: ExternalIssuerSettings | null;
}

/** What the services work with. They hold nothing of their own. */
export interface ServiceDeps {
  sql: Sql;
  clickhouse: ClickHouse;
  bus: Bus;
  /** Work that is done later, in the background. */
  queue: JobQueue;
  settings: ServiceSettings;
  /** Calls to addresses that come from outside. */
  outbound: Outbound;
  /** What was exchanged with roaming partners. */
  exchanges: ExchangeLog;
  /** Draws receipts and invoices. */
  bills: BillRenderer;
  /** Logos of networks, for receipts and invoices. */
  logos: Logos;
  /** Takes drivers' payments; null: payments are off. */
  payments: PaymentProvider | null;
  /** Sends e-mails, which the services queue (`mails.ts`). */
  mailer: MailTransport;
  /** Whose tokens operators may bring beside ours; null: nobody's. */
  externalIssuer: ExternalIssuer | null;
}
