import { exportStates } from '#shared/domain/reporting/export.ts';
import { queryOptions } from '@tanstack/react-query';
import { api, bodies, type Schemas } from '../../api/client.ts';
import { texts } from '../../app/search-params.ts';

export type Export = Schemas['Export'];
export type Dataset = Export['dataset'];

/** Filter and opened export of the page, as the address holds them. */
export const exportsSearch = (search: Record<string, unknown>) => texts(search, 'state', 'export');

export const stateOf = (text: string | undefined) => exportStates.find((each) => each === text);

const pageSize = 50;
const runningMs = 2000;

export const isRunning = ({ state }: Pick<Export, 'state'>): boolean =>
  state === 'QUEUED' || state === 'RUNNING';

/** Page of exports, newest first. */
export const readExports = (state: Export['state'] | undefined, cursor: string | undefined) =>
  bodies.GET('/cpms/v1/exports', { params: { query: { pageSize, state, cursor } } });

export const exportQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['exports', 'detail', uuid],
    queryFn: () => api.GET('/cpms/v1/exports/{uuid}', { params: { path: { uuid } } }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isRunning(data) ? runningMs : false),
  });

/** Scope that each kind of data needs besides those of exports. */
export const dataScopes: Record<Dataset, string> = {
  sessions: 'cpms:read:sessions',
  cdrs: 'cpms:read:ocpi-partners',
  'meter-values': 'cpms:read:sessions',
};
