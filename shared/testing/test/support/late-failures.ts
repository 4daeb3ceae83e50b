import t from 'tap';

const isOver = Promise.withResolvers<void>();
const hasFailed = Promise.withResolvers<void>();

void t.test('leaves work that fails later', (t) => {
  void isOver.promise.then(() => {
    setTimeout(() => {
      hasFailed.resolve();
      throw new Error('a timer is late');
    });
    throw new Error('a promise is late');
  });
  t.end();
});

void t.test('fails meanwhile', async () => {
  void Promise.reject(new Error('not awaited'));
  await new Promise((resolve) => setImmediate(resolve));
});

void t.test('waits for its turn', async (t) => {
  isOver.resolve();
  await hasFailed.promise;
  t.pass('it runs');
});
