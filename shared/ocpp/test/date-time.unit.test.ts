import * as fc from 'fast-check';
import t from 'tap';
import { parseDateTime } from '#shared/domain/kernel/date-time.ts';
import { formats } from '#shared/ocpp/formats.ts';

const utc = Date.UTC(2026, 4, 4, 3, 2, 1);

void t.test('reads every notation of one instant as that instant', (t) => {
  const spellings = [
    '2026-05-04T03:02:01Z',
    '2026-05-04t03:02:01z',
    '2026-05-04 03:02:01',
    '2026-05-04T03:02:01',
    '2026-05-04T03:02:01.0000000Z',
    '2026-05-04T05:02:01+02:00',
    '2026-05-04T05:02:01+0200',
    '2026-05-04T05:02:01+02',
    '2026-05-03T23:32:01-03:30',
  ];
  for (const text of spellings) t.equal(parseDateTime(text), utc, text);
  t.end();
});

void t.test('reads fractions of any length to the millisecond and absent seconds', (t) => {
  t.equal(parseDateTime('2026-05-04T03:02:01.5Z'), utc + 500);
  t.equal(parseDateTime('2026-05-04T03:02:01,25'), utc + 250);
  t.equal(parseDateTime('2026-05-04T03:02:01.123456789Z'), utc + 123);
  t.equal(parseDateTime('2026-05-04T03:02Z'), utc - 1000);
  t.end();
});

void t.test('accepts leap days and leap seconds and refuses other overflows', (t) => {
  t.equal(parseDateTime('2024-02-29T00:00:00Z'), Date.UTC(2024, 1, 29));
  t.equal(parseDateTime('2016-12-31T23:59:60Z'), Date.UTC(2017, 0, 1));
  t.equal(parseDateTime('0001-01-01T00:00:00Z'), Date.parse('0001-01-01T00:00:00Z'));
  const garbage = [
    '2023-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-05-00T00:00:00Z',
    '2026-05-04T24:00:00Z',
    '2026-05-04T03:60:00Z',
    '2026-05-04T03:02:61Z',
    '2026-05-04T03:02:01+24:00',
    '2026-05-04T03:02:01.Z',
    '2026-05-04',
    '03:02:01',
    '1777863721',
    ' 2026-05-04T03:02:01Z',
    '2026-05-04T03:02:01Z\n',
    'Mon May 04 2026',
    '',
  ];
  for (const text of garbage) t.equal(parseDateTime(text), null, JSON.stringify(text));
  t.end();
});

void t.test('reads times that the platform writes as strict', (t) => {
  const range = {
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  };
  fc.assert(
    fc.property(fc.date(range), (date) => {
      t.equal(parseDateTime(date.toISOString()), date.getTime());
      t.ok(formats['date-time'](date.toISOString()));
    }),
  );
  t.end();
});

void t.test('reads a changed notation as its pattern does', (t) => {
  fc.assert(
    fc.property(fc.nat({ max: 23 }), fc.string({ minLength: 1, maxLength: 1 }), (index, sign) => {
      for (const written of ['2024-02-29T23:59:59.987Z', '2023-11-30T00:00:00Z']) {
        const text = written.slice(0, index) + sign + written.slice(index + 1);
        // Only the notation with a capital T is read without the pattern.
        if (text[10] === 'T') t.equal(parseDateTime(text), parseDateTime(text.replace('T', 't')), text);
      }
    }),
    { numRuns: 3000 },
  );
  t.end();
});

void t.test('requires seconds, a zone and a year from 1 to 9999 in strict times', (t) => {
  for (const text of [
    '2026-05-04T03:02:01',
    '2026-05-04T03:02Z',
    '2026-05-04 03:02:01Z',
    '2026-02-30T00:00:00Z',
    '0000-12-31T23:59:59Z',
    '9999-12-31T23:59:59-01:00',
  ]) {
    t.notOk(formats['date-time'](text), text);
  }
  t.ok(formats['date-time']('2026-05-04T03:02:01.5+02:00'));
  t.end();
});
