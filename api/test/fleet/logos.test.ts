import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { isDrawable } from '#api/services/fleet/images.ts';
import { Logos } from '#api/services/fleet/logos.ts';
import { Outbound } from '#api/services/access/outbound.ts';
import { billingScene } from '#api/test/support/billing.ts';
import { readPdf } from '#api/test/support/pdf-text.ts';

/** A chunk of a PNG; decoders of ours do not look at the checksum. */
function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
}

/** A PNG in one color: 8 bits in each of three or four channels. */
function png(width: number, height: number, { alpha = false, pixels = true } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, alpha ? 6 : 2, 0, 0, 0], 8);
  const data = pixels
    ? deflateSync(Buffer.alloc(height * (1 + width * (alpha ? 4 : 3)), 0))
    : Buffer.from('no deflate stream');
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Serves one body; counts the requests. */
async function serve(t: Test, body: Buffer) {
  const served = { url: '', requests: 0, body };
  const server = createServer((_, response) => {
    served.requests += 1;
    response.end(served.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  served.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logo.png`;
  return served;
}

void t.test('a logo is loaded once, through the outbound guard', async (t) => {
  const served = await serve(t, png(40, 20));
  const open = new Outbound(['127.0.0.0/8']);
  const strict = new Outbound([]);
  t.teardown(() => [open, strict].forEach((outbound) => outbound.close()));
  const logos = new Logos(open);
  const [first, second] = await Promise.all([logos.find(served.url), logos.find(served.url)]);
  t.ok(first !== null && Buffer.from(first).equals(served.body));
  t.equal(first, second);
  t.equal(served.requests, 1);
  t.equal(await logos.find(null), null);
  t.equal(await new Logos(strict).find(served.url), null, 'a private address is refused');
  t.equal(served.requests, 1);
});

void t.test('only images that can be decoded within bounds are drawn', (t) => {
  t.ok(isDrawable(png(40, 20)));
  t.ok(isDrawable(png(40, 20, { alpha: true })));
  t.notOk(isDrawable(png(40, 20, { pixels: false })));
  t.notOk(isDrawable(png(100_000, 100_000, { pixels: false })));
  t.notOk(isDrawable(png(40, 20).subarray(0, 20)));
  const secondHeader = chunk('IHDR', png(100_000, 100_000, { pixels: false }).subarray(16, 29));
  t.notOk(isDrawable(Buffer.concat([png(40, 20), secondHeader])), 'a second header');
  t.notOk(isDrawable(Buffer.from('<svg/>')));
  t.end();
});

void t.test('a document bears the logo of its network, and does without a broken one', async (t) => {
  const { api, charge, keys } = await billingScene(t);
  const uuid = await charge();
  const receipt = async (body: Buffer | null) => {
    const logoUrl = body === null ? null : (await serve(t, body)).url;
    await api.stores.sql`update networks set logo_url = ${logoUrl} where id = ${api.network.id}`;
    const answer = await api.app.inject({
      url: `/emsp/v1/charging/sessions/${uuid}/receipt`,
      headers: { 'x-api-key': keys.driver },
    });
    t.equal(answer.statusCode, 200);
    t.match((await readPdf(answer.rawPayload)).text, 'Receipt');
    return answer.rawPayload.includes('/Subtype /Image');
  };
  t.notOk(await receipt(null));
  t.ok(await receipt(png(400, 100)));
  t.ok(await receipt(png(400, 100, { alpha: true })));
  t.notOk(await receipt(Buffer.from('ffd8ff00', 'hex')), 'a JPEG without an image');
  t.notOk(await receipt(png(400, 100, { pixels: false })));
});
