import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodies, type Schemas } from '../../api/client.ts';
import { keepWithin } from '../../api/keep-within.ts';

export type ImportKind = Schemas['ImportKind'];
export type Import = Schemas['Import'];
export type ImportRow = Schemas['ImportRow'];
export type KindName = ImportKind['kind'];
export type RowOutcome = ImportRow['outcome'];

export const rowOutcomes: readonly RowOutcome[] = ['created', 'changed', 'unchanged', 'failed', 'pending'];

export const isInProgress = ({ state }: Pick<Import, 'state'>): boolean =>
  state === 'CHECKING' || state === 'APPLYING';

export const kindsQuery = queryOptions({
  queryKey: ['import-kinds'],
  queryFn: () => api.GET('/cpms/v1/import-kinds'),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Page of the imports of a kind, newest first. */
export const readImports = (query: { networkUuid?: string; kind: KindName }, cursor: string | undefined) =>
  bodies.GET('/cpms/v1/imports', { params: { query: { ...query, pageSize: 20, cursor } } });

export const importQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['import', uuid],
    queryFn: () => api.GET('/cpms/v1/imports/{uuid}', { params: { path: { uuid } } }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isInProgress(data) ? 1000 : false),
  });

const rowsPage = 100;

const readRows = (uuid: string, query: { outcome?: RowOutcome; afterLine?: number; pageSize: number }) =>
  api.GET('/cpms/v1/imports/{uuid}/rows', { params: { path: { uuid }, query } });

/** First rows of a file. */
export const previewQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['import', uuid, 'preview'],
    queryFn: () => readRows(uuid, { pageSize: 3 }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Rows with their results. The end of a pass loads them once more. */
export const rowsQuery = (uuid: string, outcome: RowOutcome | undefined, state: Import['state']) =>
  infiniteQueryOptions({
    queryKey: ['import', uuid, 'rows', outcome, state],
    placeholderData: keepWithin('import', uuid, 'rows'),
    queryFn: ({ pageParam }) =>
      readRows(uuid, {
        pageSize: rowsPage,
        afterLine: pageParam,
        ...(outcome !== undefined && { outcome }),
      }),
    initialPageParam: 0,
    getNextPageParam: (rows) => (rows.length < rowsPage ? undefined : rows.at(-1)?.line),
  });
