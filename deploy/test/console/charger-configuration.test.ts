import type { Page } from 'playwright-core';
import t from 'tap';
import { answerCalls } from '#gateway/test/support/answering.ts';
import { until } from '#shared/testing/until.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { connectBooted } from './support/booted.ts';
import { startConsole } from './support/console.ts';

const search = (page: Page, text: string) => page.getByLabel('Search name or value').fill(text);
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** Waits for the state of a setting's value. */
const stateOf = (page: Page, name: string, state: string) =>
  row(page, name).getByText(state, { exact: false }).waitFor();

void t.test('each sent configuration key shows the answer of an OCPP 1.6 charger', async (t) => {
  const console = await startConsole(t);
  const { charger, client } = await connectBooted(console, 'ocpp1.6');
  const keys = [
    { key: 'HeartbeatInterval', value: '300', readonly: false },
    { key: 'ConnectionTimeOut', value: '60', readonly: false },
    { key: 'SecurityProfile', value: '1', readonly: false },
    { key: 'NumberOfConnectors', value: '2', readonly: true },
  ];
  const statuses: Record<string, string> = {
    HeartbeatInterval: 'Accepted',
    ConnectionTimeOut: 'Rejected',
    SecurityProfile: 'RebootRequired',
    AcmeLed: 'NotSupported',
  };
  const changed: unknown[] = [];
  answerCalls(client, (action, payload) => {
    if (action === 'GetConfiguration') return { configurationKey: keys };
    changed.push(payload);
    return { status: statuses[(payload as { key: string }).key] };
  });
  const { page, faults } = await console.open(`/fleet/chargers/${charger.uuid}?tab=configuration`);
  await page.getByText('4 settings').waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  t.equal(await page.getByLabel('Value of NumberOfConnectors').count(), 0, 'a read-only key has no input');

  await page.getByLabel('Value of HeartbeatInterval').fill('120');
  await page.getByLabel('Value of ConnectionTimeOut').fill('30');
  await page.getByLabel('Value of SecurityProfile').fill('2');
  await page.getByRole('button', { name: 'Add a key' }).click();
  await page.getByLabel('Key', { exact: true }).fill('AcmeLed');
  await page.getByLabel('Value', { exact: true }).fill('blue');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  t.match(await page.getByText('4 changes not sent').count(), 1);
  t.same(changed, [], 'nothing is sent before');
  await page.getByRole('button', { name: 'Send to the charger' }).click();
  await stateOf(page, 'HeartbeatInterval', 'Accepted');
  await stateOf(page, 'SecurityProfile', 'Restart required');
  await stateOf(page, 'ConnectionTimeOut', 'Rejected');
  await stateOf(page, 'AcmeLed', 'Rejected: NotSupported');
  await stateOf(page, 'HeartbeatInterval', 'was 300');
  t.same(changed.length, 4);
  t.strictSame(await accessibilityFaults(page), []);

  await search(page, 'heart');
  await page.getByText('1 setting', { exact: true }).waitFor();
  t.match(page.url(), 'search=heart');
  t.strictSame(faults, []);
});

const reported = (name: string, variable: string, value: string, mutability: string) => ({
  component: { name },
  variable: { name: variable },
  variableAttribute: [{ type: 'Actual', value, mutability }],
  variableCharacteristics: {
    dataType: 'integer',
    unit: 's',
    minLimit: 1,
    maxLimit: 3600,
    supportsMonitoring: false,
  },
});

void t.test('each sent variable shows the answer of an OCPP 2.0.1 charger', async (t) => {
  const console = await startConsole(t);
  const { charger, client } = await connectBooted(console, 'ocpp2.0.1');
  const readings = Array.from({ length: 1200 }, (_, index) =>
    reported('Meter', `Reading${index}`, String(index), 'ReadOnly'),
  );
  const model = [
    reported('OCPPCommCtrlr', 'HeartbeatInterval', '300', 'ReadWrite'),
    reported('OCPPCommCtrlr', 'WebSocketPingInterval', '60', 'ReadWrite'),
    reported('TxCtrlr', 'EVConnectionTimeOut', '60', 'ReadWrite'),
    ...readings,
  ];
  const statuses: Record<string, string> = {
    HeartbeatInterval: 'Accepted',
    WebSocketPingInterval: 'RebootRequired',
    EVConnectionTimeOut: 'Rejected',
  };
  answerCalls(client, (action, payload) => {
    if (action === 'GetVariables') return { getVariableResult: [] };
    if (action !== 'SetVariables') return { status: 'Accepted' };
    const { setVariableData } = payload as {
      setVariableData: { component: object; variable: { name: string } }[];
    };
    return {
      setVariableResult: setVariableData.map(({ component, variable }) => ({
        attributeStatus: statuses[variable.name],
        component,
        variable,
      })),
    };
  });
  for (let at = 0; at < model.length; at += 100) {
    await client.call('NotifyReport', {
      requestId: 1,
      generatedAt: new Date().toISOString(),
      seqNo: at / 100,
      tbc: at + 100 < model.length,
      reportData: model.slice(at, at + 100),
    });
  }
  await until('the stored report', async () => {
    const rows = await console.stores.sql`select 1 from device_variables where charger_id = ${charger.id}`;
    return rows.length === model.length;
  });
  const { page, faults } = await console.open(`/fleet/chargers/${charger.uuid}?tab=configuration`, {
    theme: 'dark',
  });
  await page.getByText('1203 settings').waitFor();
  t.ok((await page.getByRole('row').count()) < 100, 'rows that are not in view do not exist');
  t.strictSame(await accessibilityFaults(page), []);

  await search(page, 'ctrlr');
  await page.getByText('3 settings').waitFor();
  await page.getByLabel('Value of HeartbeatInterval').fill('120');
  await page.getByLabel('Value of WebSocketPingInterval').fill('9999');
  t.equal(
    await page.getByLabel('Value of WebSocketPingInterval').getAttribute('title'),
    'Enter a value from 1 to 3600.',
  );
  await page.getByLabel('Value of EVConnectionTimeOut').fill('30');
  await page.getByRole('button', { name: 'Send to the charger' }).click();
  await stateOf(page, 'HeartbeatInterval', 'Accepted');
  await stateOf(page, 'WebSocketPingInterval', 'Restart required');
  await stateOf(page, 'EVConnectionTimeOut', 'Rejected');
  t.equal(await page.getByLabel('Value of HeartbeatInterval').inputValue(), '120');
  t.strictSame(await accessibilityFaults(page), []);

  await search(page, '');
  await page.getByText('Changed only').click();
  await page.getByText('3 settings').waitFor();
  t.match(page.url(), 'changed=only');
  t.strictSame(faults, []);
});
