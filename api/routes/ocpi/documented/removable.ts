/** Returns the items of a list that a partner sent; null, which removes them, is an empty list. */
export function itemsOf<Item>(list: Item[] | null | undefined): Item[] | undefined {
  return list === null ? [] : list;
}
