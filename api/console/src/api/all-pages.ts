/** Reads all pages of a list that has cursors, or as many as have `most` rows. */
export async function allPages<Row>(
  read: (cursor: string | undefined) => Promise<{ data: Row[]; nextCursor: string | null }>,
  most = Number.POSITIVE_INFINITY,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    rows.push(...page.data);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && rows.length < most);
  return rows.slice(0, most);
}
