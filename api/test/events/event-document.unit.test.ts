import t from 'tap';
import { eventDocument } from '#api/services/events/catalogue/document.ts';

void t.test('docs/events.md lists the catalogue of events (npm run events:generate)', async (t) => {
  const { stored, present } = await eventDocument();
  t.ok(present.includes('| `charger.connected` | 1 |'), 'the document has the marks of the table');
  t.equal(stored, present);
});
