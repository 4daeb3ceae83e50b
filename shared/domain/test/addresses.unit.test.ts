import t from 'tap';
import { placeOf } from '#shared/domain/access/addresses.ts';

void t.test('addresses that one host may choose among are one place', async (t) => {
  t.equal(placeOf('192.0.2.1'), '192.0.2.1');
  t.equal(placeOf('::ffff:192.0.2.1'), '192.0.2.1', 'however it is written');
  t.equal(placeOf('::FFFF:192.0.2.1'), '192.0.2.1');
  t.equal(placeOf('::ffff:c000:201'), '192.0.2.1');
  t.equal(placeOf('2001:db8:0:12::192.0.2.1'), '2001:db8:0:12::/64');
  const home = '2001:db8:0:12::/64';
  t.equal(placeOf('2001:db8:0:12::'), home);
  t.equal(placeOf('2001:db8:0:12::1'), home);
  t.equal(placeOf('2001:0DB8:0000:0012:ffff:ffff:ffff:ffff'), home);
  t.equal(placeOf('2001:db8:0:13::1'), '2001:db8:0:13::/64');
  t.equal(placeOf('::1'), '0:0:0:0::/64');
  t.equal(placeOf('fe80::1%eth0'), 'fe80:0:0:0::/64');
  t.equal(placeOf('1::2:3:4:5:6:7'), '1:0:2:3::/64', 'the zeros that are left out are no end');
  t.equal(placeOf('nowhere'), 'nowhere');
});
