import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { chargerFilterOf } from '#api/routes/cpms/kernel/charger-query.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { operation } from '#api/routes/operation.ts';
import { cursorOf, cursorQuery, idParams, Integer } from '#api/routes/schema.ts';
import {
  cancelBulkJob,
  countBulkChargers,
  createBulkJob,
  readBulkJob,
  readBulkJobs,
  readBulkResults,
} from '#api/services/commands/bulk-jobs.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { bulkCommandOf, NewBulkJobBody } from './bulk-job-schema.ts';
import {
  BulkJobDetail,
  bulkJobDetail,
  BulkJobItem,
  bulkJobItem,
  bulkResult,
  BulkResultItem,
  Outcome,
} from './bulk-job-view.ts';

const config = { scope: 'cpms:read:chargers' } as const;
const params = idParams('Bulk job');
/** Registers the routes of commands to many chargers. */
export function bulkJobRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'POST /bulk-jobs', config, {
    operationId: 'createBulkJob',
    summary: 'Send a command to many chargers',
    description:
      'Also requires the scope of the command. The chargers are selected now; the commands are sent in the background, each ' +
      'at most once. Before each command the authority of the creator is checked again: a job stops when its key is ' +
      'revoked, its operator disabled, or the scope withdrawn.',
    querystring: Type.Object(networkQuery),
    body: NewBulkJobBody,
    response: {
      200: Envelope(
        Type.Object({
          total: Integer('Number of chargers.', 200),
          isDryRun: Type.Literal(true, { description: 'Always true.' }),
        }),
        'A dry run: nothing is sent.',
      ),
      201: Envelope(BulkJobItem, 'The job.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'CHARGER_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      const { action, parameters, chargerUuids, filter, dryRun, concurrency = 10 } = request.body;
      const wanted = {
        command: bulkCommandOf(action, parameters),
        networkUuid: networkOf(request.query),
        chargerUuids,
        filter: filter && chargerFilterOf(filter),
        concurrency,
        stopAfterFailures: request.body.stopAfterFailures ?? null,
      };
      if (dryRun === true) {
        const total = await countBulkChargers(deps, callerOf(request), wanted);
        return reply.code(200).send(success({ total, isDryRun: true as const }));
      }
      return reply.code(201).send(success(bulkJobItem(await createBulkJob(deps, actorOf(request), wanted))));
    },
  });

  operation(app, 'GET /bulk-jobs', config, {
    operationId: 'listBulkJobs',
    summary: 'List bulk jobs, newest first',
    description:
      'A caller sees the jobs whose networks it may all read. With a network: those with chargers of this network.',
    querystring: Type.Object({ ...networkQuery, ...cursorQuery }),
    response: {
      200: CursorEnvelope(BulkJobItem, 'One page of bulk jobs.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const page = cursorOf(request.query);
      const { rows, nextCursor } = await readBulkJobs(
        deps,
        callerOf(request),
        networkOf(request.query),
        page,
      );
      return successSlice(rows.map(bulkJobItem), nextCursor);
    },
  });

  operation(app, 'GET /bulk-jobs/:uuid', config, {
    operationId: 'getBulkJob',
    summary: 'Get a bulk job with its progress',
    description:
      'Counts of chargers by outcome are updated while the job runs. Passwords and keys in the parameters are ' +
      'masked.',
    params,
    response: { 200: Envelope(BulkJobDetail, 'The job.'), ...cpmsErrors('BULK_JOB_NOT_FOUND') },
    handler: async (request) =>
      success(bulkJobDetail(await readBulkJob(deps, callerOf(request), request.params.uuid))),
  });

  operation(app, 'GET /bulk-jobs/:uuid/results', config, {
    operationId: 'listBulkJobResults',
    summary: 'List the results of a bulk job',
    description:
      "One row for each charger of the job, with the charger's answer or the error. `outcome` filters them.",
    params,
    querystring: Type.Object({ ...cursorQuery, outcome: Type.Optional(Outcome) }),
    response: {
      200: CursorEnvelope(BulkResultItem, 'One page of results, in the order of the job.'),
      ...cpmsErrors('BULK_JOB_NOT_FOUND'),
    },
    handler: async (request) => {
      const { outcome } = request.query;
      const page = cursorOf(request.query);
      const { uuid } = request.params;
      const { rows, nextCursor } = await readBulkResults(deps, callerOf(request), uuid, outcome, page);
      return successSlice(rows.map(bulkResult), nextCursor);
    },
  });

  operation(app, 'POST /bulk-jobs/:uuid/cancel', config, {
    operationId: 'cancelBulkJob',
    summary: 'Cancel a bulk job',
    description:
      'Also requires the scope of the command. No further command is sent; those in progress get their outcome.',
    params,
    response: {
      200: Envelope(BulkJobDetail, 'The cancelled job.'),
      ...cpmsErrors('BULK_JOB_NOT_FOUND', 'BULK_JOB_ENDED'),
    },
    handler: async (request) => {
      const { uuid } = request.params;
      await cancelBulkJob(deps, actorOf(request), uuid);
      return success(bulkJobDetail(await readBulkJob(deps, callerOf(request), uuid)));
    },
  });
}
