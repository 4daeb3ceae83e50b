import t from 'tap';
import { parseRedisUrl } from '#shared/domain/kernel/redis-address.ts';

void t.test('reads one server, a cluster and Sentinels', async (t) => {
  t.match(parseRedisUrl('redis://localhost'), {
    mode: 'single',
    hosts: [{ host: 'localhost', port: 6379 }],
    username: undefined,
    password: undefined,
    database: 0,
    tls: null,
    prefix: 'chargeway',
  });
  t.match(parseRedisUrl('rediss://:p%40ss@[::1]:7000/2?prefix=one&cacert=/ca.pem&cert=/c.pem&key=/k.pem'), {
    mode: 'single',
    hosts: [{ host: '::1', port: 7000 }],
    username: undefined,
    password: 'p@ss',
    database: 2,
    tls: { ca: '/ca.pem', cert: '/c.pem', key: '/k.pem' },
    prefix: 'one',
  });
  t.match(parseRedisUrl('rediss+cluster://user:secret@a:7000,b,c:7002'), {
    mode: 'cluster',
    hosts: [
      { host: 'a', port: 7000 },
      { host: 'b', port: 6379 },
      { host: 'c', port: 7002 },
    ],
    username: 'user',
    password: 'secret',
    tls: { ca: undefined },
  });
  const account = 'sentinel_username=watcher&sentinel_password=s';
  t.match(parseRedisUrl(`redis+sentinel://:secret@a,b:26380/main/3?${account}`), {
    mode: 'sentinel',
    hosts: [
      { host: 'a', port: 26_379 },
      { host: 'b', port: 26_380 },
    ],
    password: 'secret',
    master: 'main',
    database: 3,
    sentinelUsername: 'watcher',
    sentinelPassword: 's',
  });
});

void t.test('refuses other URLs without repeating them', async (t) => {
  const wrong = {
    'http://:secret@a': /must be a URL that begins with/,
    'redis://': /names a host/,
    'redis://:secret@a,b': /several hosts/,
    'redis+cluster://:secret@a,b:x': /host or port/,
    'redis+cluster://:secret@a/1': /has one only/,
    'redis+sentinel://:secret@a': /must name the master/,
    'redis://:secret@a/main': /no database number/,
    'redis://:secret@a?sentinels=b': /the parameter "sentinels"/,
  };
  for (const [url, message] of Object.entries(wrong)) {
    t.throws(() => parseRedisUrl(url), { message }, url);
    t.throws(() => parseRedisUrl(url), { message: /^(?!.*secret)/ }, 'without the password');
  }
});
