/** Values that a list of sessions is ordered by. */
export const sessionSorts = ['startedAt', 'energy', 'cost', 'duration'] as const;
export type SessionSort = (typeof sessionSorts)[number];

/** Order of a list of sessions. */
export interface SessionOrder {
  by: SessionSort;
  isAscending: boolean;
}

/** Position of a session in such a list. */
export interface SessionMark {
  /** Value that the list is ordered by: ms since 1970, Wh, minor units (-1 without a price), or ms. */
  key: string;
  id: string;
}

/** The order by default: the newest first. */
export const newestSessionsFirst: SessionOrder = { by: 'startedAt', isAscending: false };
