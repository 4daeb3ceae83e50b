import { type TSchema, Type } from 'typebox';
import { Pagination, paginationOf } from '#api/routes/schema.ts';
import type { PageRequest } from '#shared/domain/kernel/page.ts';

/** List of the public API: `{data, pagination}`. */
export function List<T extends TSchema>(item: T, description: string) {
  return Type.Object({ data: Type.Array(item), pagination: Pagination }, { description });
}

/** Wraps one page of a list. */
export function listPage<T>(data: T[], page: PageRequest, total: number) {
  return { data, pagination: paginationOf(page, total) };
}
