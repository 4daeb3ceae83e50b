import type { Schemas } from '../../api/client.ts';
import { navigation } from '../navigation-entries.ts';

/** Entry of the results of a search. */
export interface Hit {
  id: string;
  name: string;
  detail: string | null;
  /** Address of the page, below that of the console. */
  href: string;
}

type Title = (typeof navigation)[number]['entries'][number]['id'];

/** Returns the pages that the scopes permit. */
export function pageHits(scopes: readonly string[], nameOf: (title: Title) => string): Hit[] {
  return navigation
    .flatMap(({ entries }) => entries)
    .filter(({ scope }) => scopes.includes(scope) || scopes.includes('cpms:read'))
    .map(({ id, to }) => ({ id: `page ${id}`, name: nameOf(id), detail: null, href: String(to) }));
}

type Found = Schemas['SearchResults'];
type Kind = keyof Found;

/** Addresses of the records by kind. Kinds without a page of their own open the list that names them. */
const addresses: Record<Kind, (id: string, name: string) => string> = {
  chargers: (id) => `/fleet/chargers/${id}`,
  sessions: (id) => `/charging/sessions/${id}`,
  drivers: (_id, name) => `/charging/sessions?search=${encodeURIComponent(name)}`,
  tokens: (_id, name) => `/charging/sessions?search=${encodeURIComponent(name)}`,
  locations: (id) => `/fleet/chargers?location=${id}`,
  evses: (id) => `/fleet/chargers/${id}`,
};

/** Returns the found records by kind. A kind that the scopes do not permit is left out. */
export function recordHits(found: Found): { kind: Kind; hits: Hit[] }[] {
  return (Object.keys(addresses) as Kind[]).map((kind) => ({
    kind,
    hits: (found[kind] ?? []).map(({ id, name, detail }) => ({
      id: `${kind} ${id} ${name}`,
      name,
      detail,
      href: addresses[kind](id, name),
    })),
  }));
}
