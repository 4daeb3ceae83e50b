/** Values that a list of wallets is ordered by. */
export const walletSorts = ['createdAt', 'name', 'balance'] as const;

/** Order of a list of wallets. */
export interface WalletOrder {
  by: (typeof walletSorts)[number];
  isAscending: boolean;
}

/** The order by default: the oldest first. */
export const oldestWalletsFirst: WalletOrder = { by: 'createdAt', isAscending: true };
