import { Writable } from 'node:stream';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import { pino } from 'pino';
import t from 'tap';
import { problemErrors } from '#api/plugins/error-bodies.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { answerErrors, undeclaredError } from '#api/plugins/errors.ts';
import { DomainError, type ErrorCode } from '#shared/domain/kernel/errors.ts';

/** Answers a request to a route that declares only CHARGER_NOT_FOUND, and returns what was logged. */
async function logOf(thrown: ErrorCode): Promise<string> {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const app = Fastify({ loggerInstance: pino(sink) }).withTypeProvider<TypeBoxTypeProvider>();
  answerErrors(app as never, problemErrors, { methodsAt: () => [] });
  app.addSchema({ $id: 'ChargerProblem' });
  app.get('/', { schema: { response: { ...problems('Charger', 'CHARGER_NOT_FOUND') } } }, async () => {
    throw new DomainError(thrown, 'Thrown by the test.');
  });
  const { statusCode } = await app.inject({ url: '/' });
  t.ok(statusCode >= 400);
  await app.close();
  return lines.join('');
}

void t.test(
  'an error whose code the route does not declare is logged as a breach of the contract',
  async (t) => {
    t.match(await logOf('TARIFF_NOT_FOUND'), undeclaredError);
    t.notMatch(await logOf('CHARGER_NOT_FOUND'), undeclaredError);
  },
);
