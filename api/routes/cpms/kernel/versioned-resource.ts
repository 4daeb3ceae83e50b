import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { Static, TProperties, TSchema } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { idParams } from '#api/routes/schema.ts';
import type { Actor } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { Scope } from '#shared/domain/access/scopes.ts';
import type { ErrorCode } from '#shared/domain/kernel/errors.ts';
import { Deleted, deletion, VersionedEnvelope } from './envelope.ts';
import { expectedVersion, ifMatchHeaders, versioned } from './versioned.ts';

/** Records of one kind that operators read, create, change and delete one by one. */
interface Resource {
  /** Path of the list. */
  path: string;
  /** Record in the description of its identifier, such as `Roaming partner`. */
  name: string;
  /** Name of the identifier in paths; `uuid` by default. */
  param?: 'uuid' | 'id';
  scopes: { read: Scope; write: Scope };
  notFound: ErrorCode;
}

interface Texts {
  operationId: string;
  summary: string;
  description: string;
  /** Error codes in addition to those that follow from the operation. */
  errors?: readonly ErrorCode[];
}

/** Operation that responds with a record. */
interface Operation<Shown extends TSchema> extends Texts {
  answer: [schema: Shown, description: string];
}

/** A record, whose version becomes the ETag, and its view. */
type Answer<Shown extends TSchema> = Promise<readonly [record: { version: number }, shown: Static<Shown>]>;

interface Get<Shown extends TSchema> extends Operation<Shown> {
  read: (caller: Caller, uuid: string) => Answer<Shown>;
}

interface Post<Body extends TSchema, Shown extends TSchema> extends Operation<Shown> {
  body: Body;
  create: (by: Actor, body: Static<Body>) => Answer<Shown>;
}

interface Patch<Body extends TSchema, Shown extends TSchema> extends Operation<Shown> {
  body: Body;
  /** @param expected the version that If-Match requires; null for any. */
  change: (by: Actor, uuid: string, expected: number | null, body: Static<Body>) => Answer<Shown>;
}

interface Delete<Extra extends TProperties> extends Texts {
  answer: string;
  /** Further fields of the response. */
  extra?: Extra;
  /** Deletes the record, and returns the further fields. */
  remove: (by: Actor, uuid: string, expected: number | null) => Promise<object | void>;
}

/** Registers the operations of single records of one kind. A change and a deletion take If-Match. */
export class VersionedResource {
  readonly #app: App;
  readonly #resource: Resource;
  readonly #param: 'uuid' | 'id';

  constructor(app: App, resource: Resource) {
    this.#app = app;
    this.#resource = resource;
    this.#param = resource.param ?? 'uuid';
  }

  get<Shown extends TSchema>({ answer, errors = [], read, ...texts }: Get<Shown>): void {
    const response = { 200: VersionedEnvelope(...answer), ...cpmsErrors(this.#resource.notFound, ...errors) };
    this.#single('GET', { ...texts, response }, async (request, uuid, reply) => {
      const [record, shown] = await read(callerOf(request), uuid);
      return versioned(reply, record, shown);
    });
  }

  post<Body extends TSchema, Shown extends TSchema>(operation: Post<Body, Shown>): void {
    const { answer, errors = [], create, ...texts } = operation;
    const response = { 201: VersionedEnvelope(...answer), ...cpmsErrors(...errors) };
    const schema: FastifySchema = { ...texts, response };
    this.#app.route({
      method: 'POST',
      url: this.#resource.path,
      config: { scope: this.#resource.scopes.write },
      schema,
      handler: async (request, reply) => {
        const [record, shown] = await create(actorOf(request), request.body as Static<Body>);
        return versioned(reply.code(201), record, shown);
      },
    });
  }

  patch<Body extends TSchema, Shown extends TSchema>(operation: Patch<Body, Shown>): void {
    const { answer, errors = [], change, ...schema } = operation;
    const response = { 200: VersionedEnvelope(...answer), ...this.#changeErrors(errors) };
    this.#single('PATCH', { ...schema, ...ifMatch, response }, async (request, uuid, reply) => {
      const expected = expectedVersion(request.headers);
      const body = request.body as Static<Body>;
      const [record, shown] = await change(actorOf(request), uuid, expected, body);
      return versioned(reply, record, shown);
    });
  }

  delete<Extra extends TProperties>({ answer, extra, errors = [], remove, ...texts }: Delete<Extra>): void {
    const response = {
      200: Deleted(this.#resource.name, answer, extra),
      ...this.#changeErrors(errors),
    };
    this.#single('DELETE', { ...texts, ...ifMatch, response }, async (request, uuid) => {
      const changed = await remove(actorOf(request), uuid, expectedVersion(request.headers));
      return deletion(uuid, changed ?? {});
    });
  }

  #single(
    method: 'GET' | 'PATCH' | 'DELETE',
    schema: FastifySchema,
    handle: (request: FastifyRequest, uuid: string, reply: FastifyReply) => Promise<unknown>,
  ): void {
    const { path, name, scopes } = this.#resource;
    const withParams: FastifySchema = { ...schema, params: idParams(name, this.#param) };
    this.#app.route({
      method,
      url: `${path}/:${this.#param}`,
      config: { scope: method === 'GET' ? scopes.read : scopes.write },
      schema: withParams,
      handler: async (request, reply) =>
        handle(request, (request.params as Record<string, string>)[this.#param] ?? '', reply),
    });
  }

  #changeErrors(errors: readonly ErrorCode[]): object {
    return cpmsErrors(this.#resource.notFound, ...errors, 'PRECONDITION_FAILED');
  }
}

const ifMatch = { headers: ifMatchHeaders };
