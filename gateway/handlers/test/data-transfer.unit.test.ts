import t from 'tap';
import type { ShardContext } from '#gateway/handlers/context.ts';
import { dataTransferFor } from '#gateway/handlers/data-transfer/handler.ts';
import type { Vendor, VendorHandler } from '#gateway/handlers/data-transfer/vendors.ts';

const acme: Vendor = {
  vendorId: 'com.acme',
  messages: new Map<string | null, VendorHandler>([
    ['Echo', async (_context, { data }) => ({ status: 'Accepted', data })],
    ['Refuse', async () => ({ status: 'Rejected' })],
    [null, async () => ({ status: 'Accepted', data: 'no message id' })],
  ]),
};

/** None of the handlers above looks at it. */
const context = {} as ShardContext;

void t.test('passes a vendor message to the handler of its vendor and message id', async (t) => {
  const transfer = dataTransferFor([acme]);
  const say = (vendorId: string, messageId: string | null, data?: unknown) =>
    transfer(context, { vendorId, messageId, data });
  t.same(await say('com.acme', 'Echo', { a: [1] }), { status: 'Accepted', data: { a: [1] } });
  t.same(await say('COM.Acme', 'Refuse'), { status: 'Rejected' }, 'vendor ids are compared without case');
  t.same(await say('com.acme', null), { status: 'Accepted', data: 'no message id' });
});

void t.test('answers an unknown vendor or message id as the standard requires', async (t) => {
  const transfer = dataTransferFor([acme]);
  t.same(await transfer(context, { vendorId: 'com.other', messageId: 'Echo', data: undefined }), {
    status: 'UnknownVendorId',
  });
  t.same(await transfer(context, { vendorId: 'com.acme', messageId: 'Nothing', data: undefined }), {
    status: 'UnknownMessageId',
  });
  const wordless = dataTransferFor([{ vendorId: 'com.acme', messages: new Map() }]);
  t.same(await wordless(context, { vendorId: 'com.acme', messageId: null, data: undefined }), {
    status: 'UnknownMessageId',
  });
});
