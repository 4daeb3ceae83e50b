import { useSearchChange } from '../../app/use-search-change.ts';
import { PageList } from '../../ui/table/list-table.tsx';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch, Link } from '@tanstack/react-router';
import { Plus } from '../../ui/icons/icons.ts';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorList } from '../../api/cursor-list.ts';
import { useNetworks, useScopes } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { useFormats, absent, type Formats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { FilterSelect } from '../../ui/field.tsx';
import { Empty } from '../../ui/notice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { sortText } from '../../ui/table/sort.ts';
import { OpenWallet } from './open-wallet.tsx';
import {
  listKey,
  type Wallet,
  walletsPage,
  type WalletsSearch,
  walletsSort,
  walletSumsQuery,
} from './wallets-queries.ts';
import page from '../../ui/list-page.module.css';
import styles from './wallets-page.module.css';
import type { Schemas } from '../../api/client.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Sum, SumList } from '../../ui/sum-list.tsx';
import type { TFunction } from 'i18next';
import type { Column } from '../../ui/table/columns.ts';
import { RelativeTime } from '../../ui/time.tsx';

/** Wallets of drivers: sums by currency, and the list. */
export function WalletsPage() {
  const { t } = useTranslation('wallets');
  const formats = useFormats();
  const navigate = useNavigate();
  const search = useSearch({ from: '/signed-in/money/wallets' });
  const network = useNetworkQuery();
  const networks = useNetworks();
  const can = useScopes();
  const [isOpening, setOpening] = useState(false);
  const list = useCursorList<Wallet>(listKey(search, network), (cursor) =>
    walletsPage(search, network, cursor),
  );
  const sums = useQuery(walletSumsQuery(search, network));
  const columns = useMemo(() => {
    const name = (uuid: string) => networks.find(({ id }) => id === uuid)?.name ?? uuid;
    return walletColumns(t, formats, networks.length > 1 ? name : undefined);
  }, [t, formats, networks]);
  const change: (changed: WalletsSearch) => void = useSearchChange();
  const isFiltered = search.search !== undefined || search.debt !== undefined;

  return (
    <div className={page['page']}>
      <header className={styles['header']}>
        <h1>{t('title')}</h1>
        <WalletSums
          sums={sums.data}
          retry={sums.isError ? () => void sums.refetch() : undefined}
          onOwing={() => change({ debt: 'owing' })}
        />
      </header>
      <div className={styles['tools']}>
        <search className={styles['filters']} aria-label={t('filters')}>
          <SearchField
            label={t('search')}
            placeholder={t('searchHint')}
            value={search.search ?? ''}
            onChange={(text) => change({ search: text })}
          />
          <FilterSelect
            label={t('debt')}
            any={t('any')}
            options={[
              { id: 'owing', text: t('owing') },
              { id: 'none', text: t('notOwing') },
            ]}
            value={search.debt}
            onChange={(debt) => change({ debt })}
          />
        </search>
        {can('cpms:command:billing') && can('cpms:read:users') && (
          <Button kind="primary" onPress={() => setOpening(true)}>
            <Plus aria-hidden size={15} />
            {t('open.action')}
          </Button>
        )}
      </div>
      <PageList
        list={list}
        empty={<Empty title={t(isFiltered ? 'noneMatch' : 'empty')} />}
        label={t('list')}
        columns={columns}
        sort={walletsSort(search)}
        onSort={(sort) => change({ sort: sortText(sort) })}
        onOpen={({ id }) => void navigate({ to: '/money/wallets/$uuid', params: { uuid: id } })}
      />
      {isOpening && <OpenWallet onClose={() => setOpening(false)} />}
    </div>
  );
}

interface Props {
  sums: Schemas['WalletListSummary'] | undefined;
  /** Reads the sums again, after that failed. */
  retry: (() => void) | undefined;
  /** Shows the wallets that owe. */
  onOwing: () => void;
}

/** Sums of the listed wallets, loaded or not, by currency. */
function WalletSums({ sums, retry, onOwing }: Props) {
  const { t } = useTranslation(['wallets', 'common']);
  const formats = useFormats();
  if (sums === undefined && retry !== undefined) {
    return (
      <p>
        {absent}{' '}
        <Button kind="quiet" onPress={retry}>
          {t('common:action.retry')}
        </Button>
      </p>
    );
  }
  if (sums === undefined) return <Skeleton width={420} height={44} />;
  const { currencies } = sums;
  const total = (of: (sum: Schemas['WalletSum']) => number) =>
    formats.integer(currencies.reduce((sum, each) => sum + of(each), 0));
  const amounts = (id: 'balance' | 'available' | 'held' | 'owed') =>
    currencies.map((sum) => formats.money(sum[id], sum.currency)).join(' + ');
  const owing = currencies.reduce((sum, { owingCount }) => sum + owingCount, 0);
  return (
    <SumList label={t('sum.label')}>
      <Sum name={t('sum.count')} value={total(({ count }) => count)} />
      <Sum name={t('sum.owing')} value={formats.integer(owing)} onPress={owing === 0 ? undefined : onOwing} />
      {currencies.length > 0 && (
        <>
          <Sum name={t('sum.balance')} value={amounts('balance')} />
          <Sum name={t('sum.available')} value={amounts('available')} />
          <Sum name={t('sum.held')} value={amounts('held')} />
          <Sum name={t('sum.owed')} value={amounts('owed')} />
        </>
      )}
    </SumList>
  );
}

/** Columns of the list of wallets. `networkName`: names a network; undefined if the caller has only one. */
function walletColumns(
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
