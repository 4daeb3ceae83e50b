import { hashKey, type QueryKey } from '@tanstack/react-query';

/**
 * Keeps the shown data while others load, when the key of theirs begins alike: with the resource and its owner, such
 * as the network. Data of another owner are never shown.
 */
export function keepWithin(...start: QueryKey) {
  const wanted = hashKey(start);
  return <Data>(before: Data | undefined, query?: { queryKey: QueryKey }): Data | undefined =>
    query !== undefined && hashKey(query.queryKey.slice(0, start.length)) === wanted ? before : undefined;
}
