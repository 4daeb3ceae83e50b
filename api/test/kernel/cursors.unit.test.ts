import t from 'tap';
import { decodeCursor, encodeCursor } from '#api/services/kernel/cursors.ts';

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

void t.test('reads back the positions that it encodes', async (t) => {
  for (const [ms, tie] of [
    [0, '0'],
    [0, '7'],
    [1_795_822_724_343, '18446744073709551615'],
  ] as const) {
    const position = { time: new Date(ms), tie };
    t.same(decodeCursor(encodeCursor(position)), position);
  }
});

void t.test('refuses any other text', async (t) => {
  const others = [
    '',
    '1',
    '1.',
    '.1',
    '1.1.1',
    '-1.1',
    '1.-1',
    ' 1.1',
    '1e3.1',
    '0x1.1',
    '1.18446744073709551616',
  ];
  const withZeros = ['00.1', '01.1', '1.01', '1795822724343.007', '0001795822724343.7', '0.00'];
  for (const text of [...others, ...withZeros]) {
    t.throws(() => decodeCursor(encoded(text)), { code: 'VALIDATION_FAILED' }, text);
  }
});
