import type { Kind } from '#shared/config/kinds.ts';

/** Variable of the environment: a row of docs/configuration.md. */
export interface Variable<T> {
  readonly name: string;
  readonly kind: Kind<T>;
  readonly default: T;
  /** Default as the documents show it, if `default` does not state it. */
  readonly shownDefault?: string;
  /** Sentences in Markdown, with links as in `docs/`. README shows the first one. */
  readonly meaning: string;
  /** Readable from the file that the variable with `_FILE` at the end of its name contains. */
  readonly isSecret?: true;
  /** Listed in README. */
  readonly isEssential?: true;
}

/** Returns a variable, whose default may be null in addition to the values of its kind. */
export const variable = <T, const D extends T | null>(
  definition: Omit<Variable<T | D>, 'kind' | 'default'> & { kind: Kind<T>; default: D },
): Variable<T | D> => definition;
