import t from 'tap';
import type { ShardContext } from '#gateway/handlers/context.ts';
import type { VendorHandler } from '#gateway/handlers/data-transfer/vendors.ts';
import { dataTransfer as dataTransfer16 } from '#gateway/ocpp16/data-transfer.ts';
import { dataTransfer as dataTransfer201 } from '#gateway/ocpp201/data-transfer.ts';
import type { ServeAction } from '#gateway/protocol/protocol.ts';
import { LocalTime } from '#shared/domain/fleet/local-time.ts';
import { startRig } from './support/rig.ts';

void t.test('answers UnknownVendorId for an unknown vendor, in both versions', async (t) => {
  const rig = await startRig(t);
  for (const version of ['ocpp1.6', 'ocpp2.0.1'] as const) {
    const { client } = await rig.connect(version);
    const request = { vendorId: 'com.example', messageId: 'Hello', data: 'text' };
    t.same(await client.call('DataTransfer', request), { status: 'UnknownVendorId' });
    await t.rejects(client.call('DataTransfer', { messageId: 'Hello' }), 'a vendor must be named');
  }
});

void t.test('passes vendor data as text in 1.6 and as JSON in 2.0.1', async (t) => {
  const received: unknown[] = [];
  const echo: VendorHandler = async (_, { data }) => {
    received.push(data);
    return { status: 'Accepted', data: { price: '0.40', data } };
  };
  const vendors = [{ vendorId: 'v', messages: new Map([[null, echo]]) }];
  const context = { receivedAt: new Date(), localTime: new LocalTime(), meterOverrides: [] };
  const answerTo = async ([, serve]: [string, ServeAction], data: unknown) =>
    (await serve(context as unknown as ShardContext, { vendorId: 'V', data })).payload;
  const text = '{"price":"0.40","data":"text"}';
  t.same(await answerTo(dataTransfer16(vendors), 'text'), { status: 'Accepted', data: text });
  t.same(await answerTo(dataTransfer201('2.0.1', vendors), [1]), {
    status: 'Accepted',
    data: { price: '0.40', data: [1] },
  });
  t.same(received, ['text', [1]]);
});
