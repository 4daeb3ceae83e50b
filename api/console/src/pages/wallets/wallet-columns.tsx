import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { Formats } from '../../texts/formats.ts';
import type { Column } from '../../ui/table/columns.ts';
import { RelativeTime } from '../../ui/time.tsx';
import styles from './wallets-page.module.css';
import type { Wallet } from './wallets-queries.ts';

/** Columns of the list of wallets. `networkName`: names a network; undefined if the caller has only one. */
export function walletColumns(
  t: TFunction<'wallets'>,
  formats: Formats,
  networkName: ((uuid: string) => string) | undefined,
): Column<Wallet>[] {
  const money = (id: 'balance' | 'available' | 'held' | 'owed'): Column<Wallet> => ({
    id,
    title: t(`column.${id}`),
    width: 116,
    phone: id === 'balance' || id === 'available' ? 112 : false,
    isNumber: true,
    ...(id === 'balance' && { sortBy: id }),
    cell: (wallet) => (
      <span className={wallet[id] === 0 ? styles['zero'] : undefined}>
        {formats.money(wallet[id], wallet.currency)}
      </span>
    ),
  });
  return [
    {
      id: 'driver',
      title: t('column.driver'),
      sortBy: 'name',
      width: 150,
      phone: 112,
      grow: true,
      cell: ({ id, userName }) => (
        <Link to="/money/wallets/$uuid" params={{ uuid: id }}>
          {userName}
        </Link>
      ),
    },
    money('balance'),
    money('available'),
    money('held'),
    money('owed'),
    {
      id: 'email',
      title: t('column.email'),
      width: 200,
      phone: false,
      grow: true,
      cell: ({ userEmail }) => userEmail,
    },
    ...(networkName === undefined
      ? []
      : [
          {
            id: 'network',
            title: t('column.network'),
            width: 120,
            phone: false as const,
            grow: true,
            cell: ({ networkUuid }: Wallet) => networkName(networkUuid),
          },
        ]),
    {
      id: 'updated',
      title: t('column.updated'),
      width: 130,
      phone: false,
      cell: ({ updatedAt }) => <RelativeTime value={updatedAt} />,
    },
  ];
}
