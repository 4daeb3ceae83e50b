import t from 'tap';
import { omitEmptyLists } from '#api/services/roaming/wire/omit-empty-lists.ts';

void t.test('leaves out lists without items at any depth, and nothing else', async (t) => {
  const evse = { uid: '1', directions: [], connectors: [{ id: '1', tariff_ids: [] }], coordinates: {} };
  const location = { id: 'A', name: '', publish: false, images: [], evses: [evse], facilities: ['HOTEL'] };
  t.same(omitEmptyLists(location), {
    id: 'A',
    name: '',
    publish: false,
    evses: [{ uid: '1', connectors: [{ id: '1' }], coordinates: {} }],
    facilities: ['HOTEL'],
  });
  t.same(Object.keys(omitEmptyLists(evse)), ['uid', 'connectors', 'coordinates']);
  t.equal(omitEmptyLists(null), null);
});
