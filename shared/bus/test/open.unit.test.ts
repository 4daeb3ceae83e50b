import t from 'tap';
import { BusUnavailableError } from '#shared/bus/contract.ts';
import { isBusDown } from '#shared/bus/open.ts';

const isDown = (message: string) => isBusDown(new BusUnavailableError(new Error(message)));

void t.test('a Redis that is not there or overloaded is waited for, and a refusal is not', async (t) => {
  const sentinels = 'All sentinels are unreachable. Retrying from scratch after 10ms.';
  const waitedFor = [
    'connect ECONNREFUSED 127.0.0.1:6379',
    'LOADING Redis is loading the dataset in memory',
    'ERR max number of clients reached',
    sentinels,
    `${sentinels} Last error: connect ECONNREFUSED 127.0.0.1:26379`,
  ];
  const refused = [
    'WRONGPASS invalid username-password pair or user is disabled.',
    'NOAUTH Authentication required.',
    'ERR DB index is out of range',
    `${sentinels} Last error: WRONGPASS invalid username-password pair or user is disabled.`,
  ];
  t.same(
    waitedFor.map((message) => [message, isDown(message)]),
    waitedFor.map((message) => [message, true]),
  );
  t.same(
    refused.map((message) => [message, isDown(message)]),
    refused.map((message) => [message, false]),
  );
  t.equal(isBusDown(new TypeError('no Redis')), false, 'an error of ours');
});
