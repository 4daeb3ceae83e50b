import { PageList } from '../../ui/table/list-table.tsx';
import { ledgerCauses } from '#shared/domain/money/wallet.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { X } from '../../ui/icons/icons.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCan } from '../../app/caller.tsx';
import { useFormats } from '../../texts/formats.ts';
import { zonedDayEnd, zonedDayStart } from '../../texts/zoned-time.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { FilterSelect } from '../../ui/field.tsx';
import { Empty } from '../../ui/notice.tsx';
import { ColumnChoice, useShownColumns } from '../../ui/table/column-choice.tsx';
import { type Wallet, walletKey } from '../wallets/wallets-queries.ts';
import { ledgerColumns, type Movement } from './ledger-columns.tsx';
import styles from './ledger.module.css';

const pageSize = 100;
const renewMs = 30_000;

/** Movements of a wallet, newest first. */
export function Ledger({ wallet }: { wallet: Wallet }) {
  const { t } = useTranslation('wallets');
  const formats = useFormats();
  const { timeZone } = formats;
  const navigate = useNavigate();
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
      body(
        api.GET('/cpms/v1/wallets/{uuid}/ledger', {
          params: { path: { uuid: wallet.id }, query: { ...filter, pageSize, cursor } },
        }),
      ),
    { refetchInterval: renewMs },
  );
  const columns = useMemo(() => ledgerColumns(t, formats, linksSessions), [t, formats, linksSessions]);
  const [shown, choose] = useShownColumns('ledger', columns);
  const change = (changed: typeof search) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...changed }), replace: true });
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
            label={`${t('ledger.from')} (${timeZone})`}
            value={search.from ?? ''}
            onChange={(date) => change({ from: date })}
          />
          <DateField
            label={`${t('ledger.to')} (${timeZone})`}
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
