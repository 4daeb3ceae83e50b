/** Order of a list. */
export interface Sort {
  by: string;
  isDescending: boolean;
}

/** Returns the order that an address holds; the first of the known ones by default. */
export function sortOf<Name extends string>(
  known: readonly Name[],
  sort: string | undefined,
): Sort & { by: Name } {
  const by = known.find((name) => sort === name || sort === `-${name}`) ?? known[0];
  if (by === undefined) throw new Error('a list without an order');
  return { by, isDescending: sort === `-${by}` };
}

/** Returns an order as the API and the address name it. */
export const sortText = <Name extends string>({ by, isDescending }: { by: Name; isDescending: boolean }) =>
  isDescending ? (`-${by}` as const) : by;
