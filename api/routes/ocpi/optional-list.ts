import { type TSchema, Type } from 'typebox';

/** List of an object of OCPI, which is left out where it has no items (`omitEmptyLists`). */
export const OptionalList = <Item extends TSchema>(
  items: Item,
  options: { description: string; examples?: unknown[]; maxItems?: number },
) => Type.Optional(Type.Array(items, options));
