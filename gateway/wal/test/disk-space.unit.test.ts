import t from 'tap';
import { DiskFull, DiskSpace } from '#gateway/wal/disk-space.ts';

void t.test('reports no room while a disk does not answer, with one look at a time', async (t) => {
  const hung = Promise.withResolvers<number>();
  let looks = 0;
  const space = new DiskSpace('/none', 100, () => {
    looks += 1;
    return hung.promise;
  });
  t.same([await space.room(10), await space.room(10)], [0, 0]);
  t.equal(looks, 1);
  const taken = space.take(50);
  hung.resolve(1000);
  await taken;
  t.equal(looks, 1);
  t.equal(await space.room(), 900, 'it looks again');
  t.equal(looks, 2);
});

void t.test('reports no room when the disk cannot be read', async (t) => {
  const space = new DiskSpace('/none', 100, () => Promise.reject(new Error('the disk is gone')));
  t.equal(await space.room(), 0);
  await t.rejects(space.take(1), /gone/);
});

void t.test('refuses more than the room above the floor', async (t) => {
  const space = new DiskSpace('/none', 100, () => Promise.resolve(150));
  await space.take(50);
  await t.rejects(space.take(51), DiskFull);
});
