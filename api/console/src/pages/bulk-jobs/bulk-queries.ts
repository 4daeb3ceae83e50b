import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodies, type Schemas } from '../../api/client.ts';
import { keepWithin } from '../../api/keep-within.ts';

export type Outcome = Schemas['BulkJobResult']['outcome'];

/** Outcomes in the order of the life of a command. */
export const outcomes: readonly Outcome[] = [
  'queued',
  'running',
  'accepted',
  'rejected',
  'failed',
  'timed-out',
  'offline',
  'skipped',
  'cancelled',
  'unknown',
];

export const isEnded = ({ state }: Pick<Schemas['BulkJobSummary'], 'state'>): boolean =>
  state !== 'QUEUED' && state !== 'RUNNING';

const jobsPage = 50;

/** Page of the bulk jobs of a network, newest first. */
export const readBulkJobs = (network: { networkUuid?: string }, cursor: string | undefined) =>
  bodies.GET('/cpms/v1/bulk-jobs', { params: { query: { ...network, pageSize: jobsPage, cursor } } });

export const bulkJobQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['bulk-job', uuid],
    queryFn: () => api.GET('/cpms/v1/bulk-jobs/{uuid}', { params: { path: { uuid } } }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isEnded(data) ? false : 1000),
  });

export const bulkResultsQuery = (uuid: string, outcome: Outcome | undefined, isRunning: boolean) =>
  infiniteQueryOptions({
    // Its end loads the results once more.
    queryKey: ['bulk-job', uuid, 'results', outcome, isRunning],
    placeholderData: keepWithin('bulk-job', uuid, 'results'),
    queryFn: ({ pageParam }: { pageParam: string | undefined }) =>
      bodies.GET('/cpms/v1/bulk-jobs/{uuid}/results', {
        params: { path: { uuid }, query: { pageSize: 100, outcome, cursor: pageParam } },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: isRunning ? 2000 : false,
  });
