import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { keepWithin } from '../../api/keep-within.ts';

export type Session = Schemas['OperatorSession'];

/** Parts of a session that its readings, events and price are read by. A session of a list has them too. */
export type SessionRef = Pick<Session, 'id' | 'status' | 'endedAt' | 'networkUuid'>;

/** Time in ms between two reads of what changes while a session runs. */
const runningMs = 10_000;

const path = (uuid: string) => ({ params: { path: { uuid } } });

/** Key of everything about a session. */
export const sessionKey = (uuid: string) => ['session', uuid] as const;

export const isRunning = ({ status }: Pick<Session, 'status'>): boolean =>
  status === 'ACTIVE' || status === 'STOPPING';

/** True for a reserved session too, which can begin to charge. */
const isOpen = ({ endedAt }: Pick<Session, 'endedAt'>): boolean => endedAt === null;

export const sessionQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...sessionKey(uuid), 'detail'],
    queryFn: () => api.GET('/cpms/v1/sessions/{uuid}', path(uuid)),
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? runningMs : false),
  });

const whileRunning = (session: SessionRef) => (isOpen(session) ? runningMs : false);

export const priceQuery = (session: SessionRef) =>
  queryOptions({
    queryKey: [...sessionKey(session.id), 'price'],
    queryFn: () => api.GET('/cpms/v1/sessions/{uuid}/price', path(session.id)),
    refetchInterval: whileRunning(session),
  });

export const stationQuery = (session: SessionRef) =>
  queryOptions({
    queryKey: [...sessionKey(session.id), 'station'],
    queryFn: () => api.GET('/cpms/v1/sessions/{uuid}/station', path(session.id)),
    refetchInterval: whileRunning(session),
  });

export const timelineQuery = (session: SessionRef) =>
  queryOptions({
    queryKey: [...sessionKey(session.id), 'timeline'],
    queryFn: () => api.GET('/cpms/v1/sessions/{uuid}/timeline', path(session.id)),
    refetchInterval: whileRunning(session),
  });

/** Part of a session's time; empty: all of it. */
export interface Part {
  from?: string;
  to?: string;
}

/** Readings of a session, or of a part of it, in at most `points` buckets. */
export const seriesQuery = (session: SessionRef, points: number, part: Part = {}) =>
  queryOptions({
    queryKey: [...sessionKey(session.id), 'series', points, part],
    queryFn: () =>
      api.GET('/cpms/v1/sessions/{uuid}/meter-series', {
        params: { path: { uuid: session.id }, query: { points, ...part } },
      }),
    refetchInterval: part.to === undefined ? whileRunning(session) : false,
    placeholderData: keepWithin(...sessionKey(session.id), 'series'),
  });

/** Points of the small series that the key figures are read from. */
export const figurePoints = 400;
