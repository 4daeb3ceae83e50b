import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import {
  BatteryCharging,
  Landmark,
  Lock,
  LockOpen,
  type IconComponent,
  Minus,
  Plus,
  Undo2,
} from '../../ui/icons/icons.ts';
import type { Schemas } from '../../api/client.ts';
import type { Formats } from '../../texts/formats.ts';
import type { Column } from '../../ui/table/columns.ts';
import styles from './ledger.module.css';

export type Movement = Schemas['WalletMovement'];

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
export function ledgerColumns(
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
