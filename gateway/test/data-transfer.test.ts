import t from 'tap';
import * as dataTransfer16 from '#gateway/ocpp16/data-transfer.ts';
import * as dataTransfer201 from '#gateway/ocpp201/data-transfer.ts';
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
  const answer = { status: 'Accepted', data: { price: '0.40' } } as const;
  t.same(dataTransfer16.response(answer), { status: 'Accepted', data: '{"price":"0.40"}' });
  t.same(dataTransfer16.response({ status: 'Accepted', data: 'text' }), { status: 'Accepted', data: 'text' });
  t.same(dataTransfer201.response(answer), answer);
  t.same(dataTransfer201.message({ vendorId: 'v', data: [1] }), {
    vendorId: 'v',
    messageId: null,
    data: [1],
  });
});
