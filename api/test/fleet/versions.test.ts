import t from 'tap';
import type { Answer, Json, TestApi } from '#api/test/support/fixtures.ts';
import { walkChanges } from '#api/test/support/walk-changes.ts';

/** The routes that take If-Match, as `PATCH /cpms/v1/…`. */
async function versionedRoutes(api: TestApi): Promise<Set<string>> {
  const { paths } = (await api.call(null, { url: '/openapi.json' })).json;
  const operations = Object.entries(paths as Json).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      parameters: (operation['parameters'] ?? []) as unknown as { name: string }[],
    })),
  );
  const taking = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'if-match'));
  return new Set(taking.map(({ route }) => route));
}

/** Reads of the records that no request creates, which have versions of their own. */
const readFirst = new Map([
  ['PATCH /cpms/v1/charger-models/{id}/meter-overrides', ''],
  ['PATCH /cpms/v1/chargers/{uuid}/evses/{number}', ''],
  ['POST /cpms/v1/sessions/{uuid}/amend', '/amend'],
  ['POST /cpms/v1/sessions/{uuid}/approve', '/approve'],
]);

/** Changes with an address of their own: the record is read at the address without this end. */
const actions = new Map([['POST /cpms/v1/chargers/{uuid}/registration', '/registration']]);

void t.test('returns the ETag that the next change requires on create, read and change', async (t) => {
  const etags = new Map<string, unknown>();
  const changed = new Set<string>();
  let versioned: Set<string> | undefined;
  await walkChanges(t, async (api, key, { step: { route, as, ids = [] }, url, send }) => {
    versioned ??= await versionedRoutes(api);
    const record = as ?? ids.join('/');
    const suffix = readFirst.get(route);
    const isMade = suffix === undefined;
    const noteEtag = ({ headers: { etag } }: Answer) => {
      if (isMade && etag !== undefined) etags.set(record, etag);
    };
    if (!versioned.has(route)) {
      const answer = await send();
      noteEtag(answer);
      return answer;
    }
    const readNow = async () =>
      (await api.call(key, { url: url.replace(suffix ?? actions.get(route) ?? '', '') })).headers['etag'];
    const etag = isMade ? etags.get(record) : await readNow();
    t.match(etag, /^"\d+"$/, `${record} came with an ETag`);
    t.equal(await readNow(), etag, `${route}: it is read with the same one`);
    const refused = { status: 412, json: { error: { code: 'PRECONDITION_FAILED' } } };
    t.match(await send({ 'if-match': '"999"' }), refused, `${route}: another is refused`);
    const answer = await send({ 'if-match': etag as string });
    t.equal(answer.status, 200, `${route}: ${answer.text}`);
    if (!route.startsWith('DELETE ')) {
      t.match(answer.headers['etag'], /^"\d+"$/, `${route}: answers one`);
      t.not(answer.headers['etag'], etag, `${route}: of a new version`);
    }
    noteEtag(answer);
    changed.add(route);
    return answer;
  });
  t.strictSame(changed, versioned, 'each of them was tried');
});
