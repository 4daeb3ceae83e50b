/** Values that a list of tokens is ordered by. */
export const tokenSorts = ['createdAt', 'uid'] as const;

/** Order of a list of tokens. */
export interface TokenOrder {
  by: (typeof tokenSorts)[number];
  isAscending: boolean;
}

/** The order by default: the oldest first. */
export const oldestTokensFirst: TokenOrder = { by: 'createdAt', isAscending: true };
