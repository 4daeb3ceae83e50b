import t from 'tap';
import { conformanceDocument } from './document.ts';
import { profiles } from './profiles.ts';

void t.test(
  'docs/conformance.md lists the cases and their tests (npm run conformance:generate)',
  async (t) => {
    const { stored, present } = await conformanceDocument();
    t.match(present, '| TC_B_01_CSMS |', 'the document has the marks of the tables');
    t.equal(stored, present);
  },
);

void t.test('the tables have each case of the certification programs once', async (t) => {
  const ids = profiles.flatMap(({ version, cases }) => cases.map(({ id }) => `${version} ${id}`));
  t.equal(new Set(ids).size, ids.length);
  // Part 5 of OCPP 2.0.1, mandatory and conditional for a CSMS, without those that an earlier profile has; and 1.6.
  t.same(
    profiles.map(({ cases }) => cases.length),
    [131, 4, 22, 19, 9, 17, 9, 21, 34, 6, 5, 10, 2, 5, 15],
  );
});
