import t from 'tap';
import { StatusWriter } from '#gateway/ingest/status-writer.ts';
import type { StatusEventRow } from '#shared/clickhouse/status-events.ts';
import type { StatusNotice } from '#shared/domain/commands/charger-messages.ts';
import type { ConnectorStatus } from '#shared/domain/fleet/charger.ts';
import type { StatusRecord } from '#shared/postgres/charging/connector-statuses.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

const noon = Date.UTC(2026, 4, 4, 12);
const second = 1000;

const succeed = (): Promise<void> => Promise.resolve();

/** A status writer on a store that fails, or answers, on request. */
function scene() {
  const history: StatusEventRow[] = [];
  const stored: StatusRecord[] = [];
  let write = succeed;
  const clock = new VirtualClock();
  const newest = {
    async add(record: StatusRecord): Promise<void> {
      await write();
      stored.push(record);
    },
    drain: () => Promise.resolve(),
  };
  return {
    statuses: new StatusWriter(newest, { add: (row) => void history.push(row) }, () => undefined, clock),
    /** Identity of the charger, one for each connection. */
    connected: () => ({ id: 7, uuid: '', uid: 'CP-7', networkId: 1, registration: 'Accepted' as const }),
    historyOf: () => history.map((row) => row[7]),
    stored: () => stored.map(({ status }) => status),
    pass: (ms: number) => clock.advance(ms),
    setWrite: (next: () => Promise<void>) => (write = next),
  };
}

function notice(status: ConnectorStatus, atMs = noon): StatusNotice {
  const position = { evse: 1, connector: 1 };
  return { position, status, errorCode: null, vendorErrorCode: null, info: null, at: new Date(atMs) };
}

void t.test('adds an implied status to the history once, and stores it each time', async (t) => {
  const { statuses, connected, historyOf, stored } = scene();
  const charger = connected();
  await statuses.imply(charger, notice('Charging'));
  await statuses.imply(charger, notice('Charging', noon + second));
  t.same(historyOf(), ['Charging']);
  t.same(stored(), ['Charging', 'Charging']);
  t.equal(statuses.isKnown(charger, notice('Charging', noon + second)), true);
  t.equal(statuses.isKnown(charger, notice('SuspendedEV', noon + second)), false);
  t.equal(statuses.isKnown(charger, { ...notice('Charging'), position: { evse: 2, connector: 1 } }), false);
});

void t.test('does not know an implied status whose write failed', async (t) => {
  const { statuses, connected, historyOf, stored, setWrite } = scene();
  const charger = connected();
  await statuses.imply(charger, notice('Available'));
  setWrite(() => Promise.reject(new Error('the store is unavailable')));
  await t.rejects(statuses.imply(charger, notice('Charging', noon + second)), /unavailable/);
  t.equal(statuses.isKnown(charger, notice('Charging', noon + second)), false);
  t.equal(
    statuses.isKnown(charger, notice('Available', noon + second)),
    false,
    'the write may have had effect',
  );
  setWrite(succeed);
  await statuses.imply(charger, notice('Charging', noon + second));
  t.equal(statuses.isKnown(charger, notice('Charging', noon + second)), true, 'the next message stores it');
  t.same(stored(), ['Available', 'Charging']);
  t.same(historyOf(), ['Available', 'Charging', 'Charging']);
});

void t.test('does not know a status before it is durable', async (t) => {
  const { statuses, connected, setWrite } = scene();
  const charger = connected();
  const held = Promise.withResolvers<void>();
  setWrite(() => held.promise);
  const storing = statuses.imply(charger, notice('Charging'));
  t.equal(statuses.isKnown(charger, notice('Charging')), false);
  held.resolve();
  await storing;
  t.equal(statuses.isKnown(charger, notice('Charging')), true);
});

void t.test('knows nothing on the next connection, also of a write that ends after the close', async (t) => {
  const { statuses, connected, setWrite } = scene();
  const closed = connected();
  const held = Promise.withResolvers<void>();
  setWrite(() => held.promise);
  const storing = statuses.imply(closed, notice('Charging'));
  const next = connected();
  held.resolve();
  await storing;
  t.equal(statuses.isKnown(next, notice('Charging')), false);
});

void t.test('does not know a status that is older than the stored one', async (t) => {
  const { statuses, connected } = scene();
  const charger = connected();
  await statuses.report(charger, notice('Available', noon));
  // The store ignores it: the clock of the charger was set back.
  await statuses.imply(charger, notice('Charging', noon - 3600 * second));
  t.equal(statuses.isKnown(charger, notice('Charging', noon - 3599 * second)), false);
  t.equal(statuses.isKnown(charger, notice('Available', noon + second)), true);
  await statuses.imply(charger, notice('Charging', noon + second));
  t.equal(statuses.isKnown(charger, notice('Charging', noon + 2 * second)), true);
});

void t.test('knows a status for five minutes', async (t) => {
  const { statuses, connected, historyOf, pass } = scene();
  const charger = connected();
  await statuses.imply(charger, notice('Charging'));
  pass(299 * second);
  t.equal(statuses.isKnown(charger, notice('Charging', noon + 299 * second)), true);
  pass(2 * second);
  t.equal(statuses.isKnown(charger, notice('Charging', noon + 301 * second)), false);
  await statuses.imply(charger, notice('Charging', noon + 301 * second));
  t.same(historyOf(), ['Charging'], 'to store it again is no change');
});
