import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { answerCalls } from '#gateway/test/support/answering.ts';
import type { Version } from '#gateway/test/support/rig.ts';
import type { SeededCharger } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { accessibilityFaults, faultsInBothThemes } from './support/accessibility.ts';
import { type ConsoleRig, startConsole } from './support/console.ts';

const log = (page: Page) => page.getByRole('table', { name: 'OCPP messages' });
const rowsOf = (page: Page, action: string) => log(page).getByRole('row').filter({ hasText: action });

/** Starts the product with a charger that accepts commands. */
async function openCharger(t: Test, query: string, version: Version = 'ocpp1.6') {
  const console = await startConsole(t);
  const { charger, client } = await console.connect(version);
  answerCalls(client, (action) => (action === 'GetConfiguration' ? {} : { status: 'Accepted' }));
  const path = `/fleet/chargers/${charger.uuid}?${query}`;
  const heartbeat = () => client.call('Heartbeat', {});
  const device = { vendorName: 'Vendor', model: 'Model' };
  await client.call(
    'BootNotification',
    version === 'ocpp1.6'
      ? { chargePointVendor: device.vendorName, chargePointModel: device.model }
      : { reason: 'PowerUp', chargingStation: device },
  );
  return { console, charger, client, path, heartbeat };
}

/** Sends a command, of which the audit log has an entry. */
async function clearCache({ origin, key }: ConsoleRig, { uuid }: SeededCharger): Promise<void> {
  await fetch(`${origin}/cpms/v1/chargers/${uuid}/ocpp/ClearCache`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: '{}',
  });
}

/** Resolves when the log follows the charger: a heartbeat comes by the stream. */
async function untilLive(page: Page, heartbeat: () => Promise<unknown>): Promise<void> {
  await log(page).waitFor();
  await page.mouse.move(0, 0);
  const before = await rowsOf(page, 'Heartbeat').count();
  await until('a heartbeat in the log', async () => {
    await heartbeat();
    return (await rowsOf(page, 'Heartbeat').count()) > before;
  });
}

void t.test('shows a command with its answer, and its message in the log', async (t) => {
  const { console, charger, path } = await openCharger(t, 'tab=commands');
  const { page, faults } = await console.open(path);
  await page.getByRole('combobox', { name: 'Action' }).fill('Res');
  await page.getByRole('option', { name: /^Reset/ }).click();
  await page.getByRole('button', { name: `Send Reset to ${charger.uid}` }).click();
  await page.getByText('This field is required.').waitFor();
  t.strictSame(await accessibilityFaults(page), []);

  await page.getByRole('button', { name: /^Choose…/ }).click();
  await page.getByRole('option', { name: 'Soft' }).click();
  await page.getByRole('button', { name: `Send Reset to ${charger.uid}` }).click();
  const sent = page.getByRole('list', { name: 'Sent during this visit' }).getByRole('listitem');
  await sent.getByText('Accepted', { exact: true }).waitFor();
  t.match(await sent.getByRole('region', { name: 'Answer to Reset' }).textContent(), '"status": "Accepted"');
  await sent.getByRole('link', { name: 'Message in the live log' }).click();

  const message = page.getByRole('region', { name: 'Message', exact: true });
  t.match(await message.getByRole('region', { name: 'Request' }).first().textContent(), '"type": "Soft"');
  t.match(
    await message.getByRole('region', { name: 'Answer' }).first().textContent(),
    '"status": "Accepted"',
  );
  await rowsOf(page, 'Reset').waitFor();
  t.equal(await rowsOf(page, 'Reset').count(), 1, 'a call and its answer are one row');
  t.strictSame(await accessibilityFaults(page), []);
  t.strictSame(faults, []);
});

void t.test('sends nested objects and lists of OCPP 2.0.1 from the form', async (t) => {
  const { console, charger, client, path } = await openCharger(t, 'tab=commands', 'ocpp2.0.1');
  const received: unknown[] = [];
  answerCalls(client, (action, payload) => {
    received.push([action, payload]);
    const [{ component, variable }] = (payload as { setVariableData: Record<string, unknown>[] })
      .setVariableData as [Record<string, unknown>];
    return { setVariableResult: [{ attributeStatus: 'RebootRequired', component, variable }] };
  });
  const { page, faults } = await console.open(`${path}&command=SetVariables`, { theme: 'dark' });
  await page.getByLabel(/^attributeValue/).fill('300');
  const component = page.getByRole('group', { name: /^component/ });
  await component.getByLabel(/^name/).fill('AlignedDataCtrlr');
  await component.getByRole('button', { name: 'Add evse' }).click();
  await component.getByLabel(/^id/).fill('x');
  await page
    .getByRole('group', { name: /^variable/ })
    .getByLabel(/^name/)
    .fill('Interval');
  await page.getByRole('button', { name: /^Send/ }).click();
  await page.getByText('Enter a whole number.').waitFor();
  t.strictSame(received, [], 'nothing is sent that breaks the schema');
  t.strictSame(await accessibilityFaults(page), []);
  await component.getByRole('button', { name: 'Remove evse' }).click();
  await page.getByRole('button', { name: `Send SetVariables to ${charger.uid}` }).click();
  await page.getByRole('region', { name: 'Answer to SetVariables' }).waitFor();
  t.strictSame(received, [
    [
      'SetVariables',
      {
        setVariableData: [
          {
            attributeValue: '300',
            component: { name: 'AlignedDataCtrlr' },
            variable: { name: 'Interval' },
          },
        ],
      },
    ],
  ]);
  t.strictSame(faults, []);
});

void t.test('sends a payload that is written as JSON, and shows what is wrong with it', async (t) => {
  const { console, charger, path } = await openCharger(t, 'tab=commands&command=ChangeConfiguration');
  const { page, faults } = await console.open(path);
  await page.getByRole('button', { name: 'JSON' }).click();
  const payload = page.getByRole('textbox', { name: 'Payload' });
  await payload.fill('{"key": ');
  await page.getByText(/^Invalid JSON/).waitFor();
  const send = page.getByRole('button', { name: `Send ChangeConfiguration to ${charger.uid}` });
  await payload.fill('{"key": "A"}');
  await send.click();
  await page.getByText('This field is required.').waitFor();
  // The server knows more of the standard than the form.
  await payload.fill('{"key": "A", "value": "1", "other": 1}');
  await send.click();
  const sent = page.getByRole('list', { name: 'Sent during this visit' }).getByRole('listitem');
  await sent.getByText('Failed', { exact: true }).waitFor();
  t.match(await sent.first().textContent(), /breaks the schema of ChangeConfiguration/);
  t.strictSame(faults, []);
});

void t.test('follows new messages, holds them while the pointer is over the list, and filters', async (t) => {
  const { console, path, client, heartbeat } = await openCharger(t, 'tab=log');
  const { page, faults } = await console.open(path, { theme: 'dark' });
  await untilLive(page, heartbeat);
  const waiting = page.getByRole('button', { name: /^\d+ new$/ });
  await log(page).hover();
  const first = await log(page).getByRole('row').nth(1).textContent();
  await client.call('DataTransfer', { vendorId: 'held-back' });
  await waiting.waitFor();
  t.equal(await log(page).getByRole('row').nth(1).textContent(), first, 'no row moves');
  t.equal(await rowsOf(page, 'DataTransfer').count(), 0);
  await until('the newest messages', async () => {
    // The button goes by itself once the pointer has left the list.
    await waiting.click({ timeout: 500 }).catch(() => undefined);
    return (await rowsOf(page, 'DataTransfer').count()) === 1;
  });
  t.strictSame(await accessibilityFaults(page), []);

  await page.getByRole('button', { name: 'Pause' }).click();
  await client.call('DataTransfer', { vendorId: 'paused' });
  await waiting.waitFor();
  t.equal(await rowsOf(page, 'DataTransfer').count(), 1);
  await page.getByRole('button', { name: 'Follow' }).click();
  await until('both messages', async () => (await rowsOf(page, 'DataTransfer').count()) === 2);

  // The store has a message about two seconds after it.
  await until('the stored messages', async () => {
    await page.goto(`${console.origin}/console${path}&logText=PAUSED`);
    await page.getByText('Live', { exact: true }).last().waitFor();
    return (await rowsOf(page, 'DataTransfer').count()) === 1;
  });
  await heartbeat();
  await page.getByRole('button', { name: 'Errors only' }).click();
  await page.getByText('Nothing matches these filters.').waitFor();
  t.match(page.url(), 'logShow=errors');
  t.strictSame(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: 'Clear' }).click();
  await rowsOf(page, 'Heartbeat').first().waitFor();
  t.strictSame(faults, []);
});

void t.test('catches up after a lost stream, without doubles', async (t) => {
  const { console, path, client, heartbeat } = await openCharger(t, 'tab=log');
  const { page, context, faults } = await console.open(path, { fresh: true });
  await context.addInitScript(`globalThis.sources = [];
    globalThis.EventSource = class extends EventSource {
      constructor(url) { super(url); sources.push(this); }
    };`);
  await page.reload();
  await untilLive(page, heartbeat);
  const stream = '**/messages/live*';
  await page.route(stream, (route) => route.abort());
  await page.evaluate(`for (const source of sources) {
    source.close();
    source.dispatchEvent(new Event('error'));
  }`);
  await page
    .getByText(/^Reconnecting… data from/)
    .last()
    .waitFor();
  for (const vendorId of ['first', 'second', 'third']) await client.call('DataTransfer', { vendorId });
  t.equal(await rowsOf(page, 'DataTransfer').count(), 0, 'while the stream is lost');
  await page.unroute(stream);
  await until('what was missed', async () => (await rowsOf(page, 'DataTransfer').count()) === 3);
  await client.call('DataTransfer', { vendorId: 'fourth' });
  await until('the next message', async () => (await rowsOf(page, 'DataTransfer').count()) === 4);
  t.strictSame(faults, []);
});

void t.test('loads older messages when the log is scrolled back', async (t) => {
  const { console, charger, path, client, heartbeat } = await openCharger(t, 'tab=log');
  await client.call('DataTransfer', { vendorId: 'the-oldest' });
  for (let sent = 0; sent < 250; sent += 1) await heartbeat();
  const { page, faults } = await console.open(path);
  await until('the stored messages', async () => {
    const url = `${console.origin}/cpms/v1/chargers/${charger.uuid}/messages?pageSize=1000`;
    const response = await fetch(url, { headers: { 'x-api-key': console.key } });
    return ((await response.json()) as { data: unknown[] }).data.length >= 502;
  });
  await page.reload();
  await rowsOf(page, 'Heartbeat').first().focus();
  await until('the oldest message', async () => {
    await page.keyboard.press('End');
    return (await rowsOf(page, 'DataTransfer').count()) === 1;
  });
  t.strictSame(faults, []);
});

void t.test('has no accessibility faults in either theme', async (t) => {
  const { console, charger, path } = await openCharger(t, 'tab=audit', 'ocpp2.0.1');
  await clearCache(console, charger);
  const { page, faults, visit } = await console.open(path);
  for (const [query, loaded] of [
    ['tab=log', log(page)],
    [
      'tab=commands&command=SetChargingProfile',
      page.getByRole('button', { name: /^Send SetChargingProfile/ }),
    ],
    ['tab=audit', page.getByRole('table', { name: /^Audit log/ })],
  ] as const) {
    await visit(`/fleet/chargers/${charger.uuid}?${query}`);
    await loaded.waitFor();
    t.strictSame(await faultsInBothThemes(page), [], query);
  }
  t.strictSame(faults, []);
});

void t.test('lists the audit log of a charger with its details', async (t) => {
  const { console, charger, path } = await openCharger(t, 'tab=audit');
  await clearCache(console, charger);
  const { page, faults } = await console.open(path);
  await page.getByRole('row', { name: /ClearCache/ }).click();
  const details = page.getByRole('dialog');
  t.match(await details.getByRole('region', { name: 'Details' }).textContent(), '"accepted": true');
  t.strictSame(await accessibilityFaults(page), []);
  t.strictSame(faults, []);
});
