import { type ClickHouse, isRowFault } from '#shared/clickhouse/client.ts';
import type { LineTable } from '#shared/clickhouse/insert-lines.ts';
import { exchangeRow, exchangeTable } from '#shared/clickhouse/ocpi-exchanges.queries.ts';
import { deliveryRow, deliveryTable } from '#shared/clickhouse/webhook-deliveries.queries.ts';
import type { Bus } from '#shared/bus/contract.ts';
import { type Clock, systemClock } from '#shared/domain/kernel/system-clock.ts';
import type { Logger } from '#shared/log/log.ts';
import { LogWriter } from '#shared/log/log-writer.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import type { StaleReads } from '#shared/postgres/kernel/replica.ts';
import type { ApiDeps, ApiSettings } from './services/deps.ts';
import { DeliveryLog } from './services/events/webhook-log.ts';
import { ExternalIssuer } from './services/access/external-issuer.ts';
import { OpenIdSignIn } from './services/access/openid-sign-in.service.ts';
import type { Simulations } from './services/fleet/running-simulations.ts';
import { Logos } from './services/fleet/logos.ts';
import { LiveWatches } from './services/charging/live-watch.ts';
import { EventHub } from './services/events/event-hub.ts';
import { ExchangeLog } from './services/roaming/exchange-log.service.ts';
import { openMailTransport } from './services/mail/transport.ts';
import type { PaymentProvider } from './services/money/payments/provider.ts';
import type { StripeAccount } from './services/money/payments/stripe.service.ts';
import { Outbound } from './services/access/outbound.ts';
import { openSealingKey } from './sealing-key.ts';
import { SecretBox } from './services/kernel/secret-box.ts';
import { storeLogRows } from './services/kernel/waiting-logs.service.ts';
import { WorkerPool } from './workers/pool.ts';

/**
 * Opens the dependencies of the services, over stores that the caller closes. `close` writes pending data and
 * lets running jobs end.
 */
export async function openServiceDeps(given: {
  sql: Sql;
  staleReads: StaleReads;
  clickhouse: ClickHouse;
  bus: Bus;
  settings: ApiSettings;
  /** Runs simulated chargers; null: this installation has none. */
  simulations?: Simulations | null | undefined;
  log: Logger;
  clock?: Clock;
}): Promise<{ deps: ApiDeps; close: () => Promise<void> }> {
  const { sql, staleReads, clickhouse, bus, settings, simulations = null, log } = given;
  const { clock = systemClock } = given;
  const mailer = await openMailTransport(settings.mail);
  const outbound = new Outbound(settings.outboundAllow);
  const webhookOutbound = new Outbound(settings.outboundAllow, Infinity);
  const secrets = new SecretBox(await openSealingKey(settings), settings.formerSealingKeys);
  const stores = { sql, clickhouse };
  const exchanges = lineWriter<ReturnType<typeof exchangeRow>>('ocpi-exchanges', exchangeTable, stores, log);
  const deliveries = lineWriter<ReturnType<typeof deliveryRow>>(
    'webhook-deliveries',
    deliveryTable,
    stores,
    log,
  );
  const workers = new WorkerPool((err) => log.warn({ err }, 'a thread that renders bills could not start'));
  const payments = settings.stripe && (await stripeOf(settings.stripe));
  const eventHub = new EventHub({
    sql,
    bus,
    clock,
    settings,
    relayOutages: new OutageLog(log, {
      failed: 'events get no positions; they are relayed when the stores answer',
      recovered: 'events are relayed again',
    }),
    feedOutages: new OutageLog(log, {
      failed: 'events cannot be read; streams wait',
      recovered: 'events are read again',
    }),
  });
  const liveWatches = new LiveWatches({
    sql,
    bus,
    clock,
    outages: new OutageLog(log, {
      failed: 'watches of live values cannot be renewed; streams of them may stand still',
      recovered: 'watches of live values are renewed again',
    }),
  });
  const externalIssuer = settings.externalIssuer && new ExternalIssuer(settings.externalIssuer);
  return {
    deps: {
      sql,
      staleReads,
      clickhouse,
      bus,
      clock,
      settings,
      outbound,
      webhookOutbound,
      secrets,
      deliveries: new DeliveryLog({ add: (delivery) => deliveries.add(deliveryRow(delivery)) }),
      exchanges: new ExchangeLog({ add: (exchange) => exchanges.add(exchangeRow(exchange)) }),
      bills: workers,
      logos: new Logos(outbound),
      payments,
      mailer,
      externalIssuer,
      openIdSignIn:
        settings.externalIssuer &&
        settings.openIdClient &&
        new OpenIdSignIn(settings.externalIssuer, settings.openIdClient, settings.publicUrl),
      eventHub,
      liveWatches,
      simulations,
    },
    async close() {
      await eventHub.close();
      await liveWatches.close();
      mailer.close();
      await Promise.all([exchanges.close(), deliveries.close()]);
      await workers.close();
      outbound.close();
      webhookOutbound.close();
    },
  };
}

/** Stripe's library is large: only who is paid through it loads it. */
async function stripeOf(settings: StripeAccount): Promise<PaymentProvider> {
  const { stripePayments } = await import('./services/money/payments/stripe.service.ts');
  return stripePayments(settings);
}

function lineWriter<Row extends readonly unknown[]>(
  name: string,
  table: LineTable,
  stores: { sql: Sql; clickhouse: ClickHouse },
  log: Logger,
): LogWriter<Row> {
  return new LogWriter({
    name,
    write: (chunks) => storeLogRows(stores, table, chunks),
    isRowFault,
    everyMs: 1000,
    rowsPerInsert: 1000,
    maxBytes: 32 * 1024 * 1024,
    stored: () => undefined,
    dropped: () => undefined,
    log,
  });
}
