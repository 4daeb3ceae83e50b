import { useSearchChange } from '../../app/use-search-change.ts';
import { PageList } from '../../ui/table/list-table.tsx';
import { ledgerCauses } from '#shared/domain/money/wallet.ts';
import { useSearch, Link } from '@tanstack/react-router';
import {
  X,
  BatteryCharging,
  Landmark,
  Lock,
  LockOpen,
  type IconComponent,
  Minus,
  Plus,
  Undo2,
} from '../../ui/icons/icons.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { bodies, type Schemas } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCan } from '../../app/caller.tsx';
import { useFormats, type Formats } from '../../texts/formats.ts';
import { zonedDayEnd, zonedDayStart } from '../../texts/zoned-time.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { FilterSelect } from '../../ui/field.tsx';
import { Empty } from '../../ui/notice.tsx';
import { ColumnChoice, useShownColumns } from '../../ui/table/column-choice.tsx';
import { type Wallet, walletKey } from '../wallets/wallets-queries.ts';
import styles from './ledger.module.css';
import type { TFunction } from 'i18next';
import type { Column } from '../../ui/table/columns.ts';

const pageSize = 100;
const renewMs = 30_000;

/** Movements of a wallet, newest first. */
export function Ledger({ wallet }: { wallet: Wallet }) {
  const { t } = useTranslation('wallets');
  const formats = useFormats();
  const { timeZone } = formats;
  const search = useSearch({ from: '/signed-in/money/wallets/$uuid' });
  const linksSessions = useCan('cpms:read:sessions');
  const cause = ledgerCauses.find((known) => known === search.type);
  const [from, to] = [zonedDayStart(search.from, timeZone), zonedDayEnd(search.to, timeZone)];
  const filter = {
    ...(cause !== undefined && { type: cause }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
  const list = useCursorList<Movement>(
    [...walletKey(wallet.id), 'ledger', filter],
    (cursor) =>
      bodies.GET('/cpms/v1/wallets/{uuid}/ledger', {
        params: { path: { uuid: wallet.id }, query: { ...filter, pageSize, cursor } },
      }),
    { refetchInterval: renewMs },
  );
  const columns = useMemo(() => ledgerColumns(t, formats, linksSessions), [t, formats, linksSessions]);
  const [shown, choose] = useShownColumns('ledger', columns);
  const change: (changed: typeof search) => void = useSearchChange();
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <div className={styles['ledger']}>
      <Card
        title={t('ledger.title')}
        hasPadding={false}
        actions={<ColumnChoice columns={columns} shown={shown} onChoose={choose} />}
      >
        <search className={styles['filters']} aria-label={t('filters')}>
          <FilterSelect
            label={t('ledger.type')}
            any={t('any')}
            options={ledgerCauses.map((id) => ({ id, text: t(`ledger.cause.${id}`) }))}
            value={cause}
            onChange={(type) => change({ type })}
          />
          <DateField
            label={t('ledger.from')}
            value={search.from ?? ''}
            onChange={(date) => change({ from: date })}
          />
          <DateField
            label={t('ledger.to')}
            value={search.to ?? ''}
            onChange={(date) => change({ to: date })}
          />
          {isFiltered && (
            <Button kind="quiet" onPress={() => change({ type: undefined, from: undefined, to: undefined })}>
              <X aria-hidden size={15} />
              {t('ledger.clear')}
            </Button>
          )}
        </search>
        <PageList
          className={styles['list']}
          list={list}
          empty={<Empty title={t(isFiltered ? 'ledger.noneMatch' : 'ledger.empty')} />}
          label={t('ledger.list')}
          columns={columns}
          shown={shown}
        />
      </Card>
    </div>
  );
}

type Movement = Schemas['WalletMovement'];

const icons: Record<Movement['type'], IconComponent> = {
  TOP_UP: Landmark,
  REFUND: Undo2,
  CREDIT: Plus,
  DEBIT: Minus,
  HOLD: Lock,
  RELEASE: LockOpen,
  SESSION: BatteryCharging,
};

/** Columns of the ledger. `linksSessions`: the caller reads sessions. */
function ledgerColumns(
  t: TFunction<'wallets'>,
  formats: Formats,
  linksSessions: boolean,
): Column<Movement>[] {
  const change = (value: number, currency: string) =>
    value === 0 ? '' : `${value > 0 ? '+' : ''}${formats.money(value, currency)}`;
  return [
    {
      id: 'time',
      title: t('ledger.column.time'),
      width: 208,
      phone: 196,
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formats.dateTime(createdAt)}</time>,
    },
    {
      id: 'change',
      title: t('ledger.column.change'),
      width: 110,
      phone: 110,
      isNumber: true,
      cell: ({ change: { balance }, currency }) => <strong>{change(balance, currency)}</strong>,
    },
    {
      id: 'type',
      title: t('ledger.column.type'),
      width: 150,
      phone: false,
      cell: ({ type }) => <Cause type={type} word={t(`ledger.cause.${type}`)} />,
    },
    {
      id: 'reason',
      title: t('ledger.column.reason'),
      width: 180,
      phone: false,
      grow: true,
      cell: ({ reason, sessionId }) => (
        <span className={styles['detail']} title={reason ?? undefined}>
          {sessionId !== null && linksSessions && (
            <Link to="/charging/sessions/$uuid" params={{ uuid: sessionId }}>
              {t('ledger.session')} {sessionId.slice(0, 8)}
            </Link>
          )}
          {reason}
        </span>
      ),
    },
    {
      id: 'heldChange',
      title: t('ledger.column.heldChange'),
      width: 116,
      phone: false,
      isNumber: true,
      cell: ({ change: { held }, currency }) => change(held, currency),
    },
    {
      id: 'owedChange',
      title: t('ledger.column.owedChange'),
      width: 116,
      isNumber: true,
      isShown: false,
      cell: ({ change: { owed }, currency }) => change(owed, currency),
    },
    ...(['available', 'held', 'owed', 'balance'] as const).map((part): Column<Movement> => ({
      id: part,
      title: t(`ledger.column.${part}`),
      width: 136,
      phone: false,
      isNumber: true,
      isShown: part === 'available' || part === 'balance',
      cell: ({ after, currency }) => formats.money(after[part], currency),
    })),
    {
      id: 'id',
      title: t('ledger.column.id'),
      width: 300,
      isShown: false,
      cell: ({ id }) => id,
    },
  ];
}

function Cause({ type, word }: { type: Movement['type']; word: string }) {
  const Icon = icons[type];
  return (
    <span className={styles['cause']}>
      <Icon aria-hidden size={15} />
      {word}
    </span>
  );
}
