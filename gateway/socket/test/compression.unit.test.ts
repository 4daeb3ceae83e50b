import t from 'tap';
import { offersCompression } from '#gateway/socket/compression.ts';

/** Offers of stations (RFC 7692 §7), and whether they are accepted. */
const offers: [header: string, isAccepted: boolean][] = [
  ['', false],
  ['permessage-deflate', true],
  ['permessage-deflate; client_max_window_bits', true],
  ['permessage-deflate; client_max_window_bits=10; server_no_context_takeover', true],
  ['Permessage-Deflate; Client_No_Context_Takeover', true],
  ['permessage-deflate; server_max_window_bits=15', true],
  // The shared compressor uses the whole window.
  ['permessage-deflate; server_max_window_bits=10', false],
  ['permessage-deflate; server_max_window_bits=10, permessage-deflate', true],
  ['permessage-deflate; server_max_window_bits', false],
  ['permessage-deflate; client_max_window_bits=7', false],
  ['permessage-deflate; unknown', false],
  ['x-webkit-deflate-frame', false],
  ['x-other, permessage-deflate', true],
  [';,;,', false],
];

void t.test('accepts offers of compression that it can keep', (t) => {
  for (const [header, isAccepted] of offers) t.equal(offersCompression(header), isAccepted, header);
  t.end();
});
