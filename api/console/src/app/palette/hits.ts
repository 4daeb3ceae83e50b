import type { NavigateOptions } from '@tanstack/react-router';
import type { Schemas } from '../../api/client.ts';
import { permits } from '../caller.tsx';
import { navigation } from '../navigation-entries.ts';

/** Entry of the results of a search. */
export interface Hit {
  id: string;
  name: string;
  detail: string | null;
  /** Page that it opens. */
  to: NavigateOptions;
}

type Title = (typeof navigation)[number]['entries'][number]['id'];

/** Returns the pages that the scopes permit. */
export function pageHits(scopes: readonly string[], nameOf: (title: Title) => string): Hit[] {
  return navigation
    .flatMap(({ entries }) => entries)
    .filter(({ scope }) => permits(scopes, scope))
    .map(({ id, to }) => ({
      id: `page ${id}`,
      name: nameOf(id),
      detail: null,
      to: { to } as NavigateOptions,
    }));
}

type Found = Schemas['SearchResults'];
type Kind = keyof Found;

/** Pages of the records by kind. A token is shown next to the list of tokens, an EVSE on the page of its charger. */
const pages: Record<Kind, (id: string, name: string) => NavigateOptions> = {
  chargers: (uuid) => ({ to: '/fleet/chargers/$uuid', params: { uuid } }),
  sessions: (uuid) => ({ to: '/charging/sessions/$uuid', params: { uuid } }),
  drivers: (uuid) => ({ to: '/people/drivers/$uuid', params: { uuid } }),
  tokens: (token) => ({ to: '/people/tokens', search: { token } }),
  locations: (uuid) => ({ to: '/fleet/locations/$uuid', params: { uuid } }),
  evses: (uuid) => ({ to: '/fleet/chargers/$uuid', params: { uuid } }),
};

/** Returns the found records by kind. A kind that the scopes do not permit is left out. */
export function recordHits(found: Found): { kind: Kind; hits: Hit[] }[] {
  return (Object.keys(pages) as Kind[]).map((kind) => ({
    kind,
    hits: (found[kind] ?? []).map(({ id, name, detail }) => ({
      id: `${kind} ${id} ${name}`,
      name,
      detail,
      to: pages[kind](id, name),
    })),
  }));
}
