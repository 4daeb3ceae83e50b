// Runs after every install. The driver `postgres` 3.4.9 has faults that a lost server meets: queries that nobody ever
// answers, statements of a transaction that run outside of it (its issues 1066, 1154 and 1208, unanswered). Until a
// release mends them, these places are changed (ADR 0013; `shared/postgres/test/lost-server.test.ts` shows each).
import { readFileSync, writeFileSync } from 'node:fs';

const mends = {
  'connection.js': [
    // Whether the server has let this connection in; a query that comes before or after fails at once. Its bytes would
    // go out before those that open the next connection, or never.
    ['    , final = null\n', '    , final = null\n    , ready = false\n'],
    [
      '    if (stream)\n      return queryError(q, Errors.generic(',
      "    if (!ready)\n      return (queryError(q, Errors.connection('CONNECTION_CLOSED', options, socket)), true)\n\n    if (stream)\n      return queryError(q, Errors.generic(",
    ],
    ['  function ReadyForQuery(x) {\n', '  function ReadyForQuery(x) {\n    ready = true\n'],
    // A small write waits for the next turn of the loop; when the connection closes before, it is not written any more.
    [
      '    clearImmediate(nextWriteTimer)\n    socket.removeListener(',
      '    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    ready = false\n    socket.removeListener(',
    ],
    [
      '    const x = socket.write(chunk, fn)\n',
      '    if (socket === null)\n      return (chunk = nextWriteTimer = null, false)\n    const x = socket.write(chunk, fn)\n',
    ],
    // What runs and waits on a connection that closes fails, also after an error and while it is being opened (the
    // driver would try again for ever, unless it has other hosts to try); the next connection begins without it.
    [
      "    if (initial)\n      return reconnect()\n\n    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
      "    const reopens = initial && (terminated || options.host[1])\n    !reopens && (initial || query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n    query = results = errorResponse = null\n    result = new Result()\n    if (reopens)\n      return reconnect()\n\n",
    ],
  ],
  'index.js': [
    // A transaction ends with its connection: what comes later must not run on the next one.
    [
      '      , connection\n      , prepare = null\n',
      '      , connection\n      , lost = null\n      , prepare = null\n',
    ],
    [
      '        new Promise((_, reject) => connection.onclose = reject)\n',
      '        new Promise((_, reject) => connection.onclose = e => {\n          reject(lost = e)\n          while (queries.length)\n            queries.shift().reject(e)\n        })\n',
    ],
    [
      '        q.catch(e => uncaughtError || (uncaughtError = e))\n',
      '        q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost)\n          return q.reject(lost)\n\n',
    ],
  ],
};

const driver = new URL('../node_modules/postgres/', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', driver), 'utf8'));
if (version !== '3.4.9') throw new Error(`postgres ${version} was not looked at: see docs/adr/0013`);

for (const [name, changes] of Object.entries(mends)) {
  const path = new URL(`src/${name}`, driver);
  const source = readFileSync(path, 'utf8');
  const mended = changes.reduce((text, change) => mend(text, ...change), source);
  if (mended !== source) writeFileSync(path, mended);
}

function mend(text, before, after) {
  if (text.includes(after)) return text;
  if (text.split(before).length !== 2) throw new Error(`this place is not in the driver once: ${before}`);
  return text.replace(before, () => after);
}
