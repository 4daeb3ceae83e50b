import { type DataTag, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useMatches } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { en } from '../texts/english.ts';
import { navigation } from './navigation-entries.ts';

type Words = TFunction<['common', 'bulkJobs', 'session', 'invoices']>;

/** Names of pages that the navigation does not list. */
type PageName = keyof (typeof en)['common']['pages'];

/** Name of the object of a page: read from what the page has loaded, by the key of its query. */
interface ObjectTitle {
  queryKey: (params: Record<string, string>) => QueryKey;
  name: (data: unknown, t: Words) => string;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Title of a page about one object, before the title of the list that holds it. */
    objectTitle?: ObjectTitle;
    /** Title of a page that the navigation does not list. */
    pageTitle?: PageName;
  }
}

/** Makes the title of a page about one object. */
export function objectTitle<Data>(
  query: (id: string) => { queryKey: DataTag<QueryKey, Data, Error> },
  name: (data: Data, t: Words) => string,
  param = 'uuid',
): ObjectTitle {
  return {
    queryKey: (params) => query(params[param] ?? '').queryKey,
    // The data are those of the query.
    name: (data, t) => name(data as Data, t),
  };
}

const product = 'chargeway';
const entries = navigation.flatMap((group) => group.entries);

/** Returns the entry of the navigation that a path belongs to: itself, or the list of its object. */
function entryOf(path: string) {
  return entries
    .filter(({ to }) => to !== undefined && (path === to || (to !== '/' && path.startsWith(`${to}/`))))
    .toSorted((left, right) => String(right.to).length - String(left.to).length)[0];
}

/** Returns the data of a query as the page loads them. Undefined without a key. */
function useLoaded(key: QueryKey | undefined): unknown {
  const client = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => client.getQueryCache().subscribe(listener),
    [client],
  );
  return useSyncExternalStore(subscribe, () => (key === undefined ? undefined : client.getQueryData(key)));
}

/** Returns the parts of the title, from the object to the list that holds it. */
function useTitleParts(): string[] {
  const { t } = useTranslation(['common', 'bulkJobs', 'session', 'invoices']);
  const match = useMatches({ select: (matches) => matches.at(-1) });
  const object = match?.staticData.objectTitle;
  const data = useLoaded(match === undefined ? undefined : object?.queryKey(match.params));
  const entry = entryOf(match?.fullPath ?? '/');
  const page = match?.staticData.pageTitle;
  return [
    ...(object === undefined || data === undefined ? [] : [object.name(data, t)]),
    ...(page === undefined ? [] : [t(`pages.${page}`)]),
    ...(entry === undefined ? [] : [t(`navigation.${entry.id}`)]),
  ];
}

/** Title of the window. Screen readers read it after a navigation; the first page's is read by the browser. */
export function PageTitle() {
  const title = useTitleParts().join(' · ');
  const [first] = useState(title);
  const [isMoved, setMoved] = useState(false);
  if (!isMoved && title !== first) setMoved(true);
  useEffect(() => {
    document.title = title === '' ? product : `${title} · ${product}`;
  }, [title]);
  return (
    <p aria-live="polite" aria-atomic="true" className="visually-hidden">
      {isMoved ? title : ''}
    </p>
  );
}
