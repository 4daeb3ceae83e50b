import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { bodies, type Schemas } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useFormats } from '../../texts/formats.ts';
import { Card } from '../../ui/card.tsx';
import { FilterSelect } from '../../ui/field.tsx';
import { Empty, QueryPending } from '../../ui/notice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { partyName } from './parties.ts';
import styles from './roaming.module.css';

type Token = Schemas['OcpiPartnerToken'];

/** Tokens that a partner has sent; a row opens the parties that claim its uid. */
export function PartnerTokenList({ uuid }: { uuid: string }) {
  const { t } = useTranslation(['roaming', 'tokens', 'people', 'common']);
  const { uid, valid } = useSearch({ from: '/signed-in/roaming/partners/$uuid' });
  const navigate = useNavigate();
  const query = {
    ...(uid !== undefined && { uid }),
    ...((valid === 'true' || valid === 'false') && { valid: valid === 'true' }),
  };
  const list = useCursorList(['ocpi-partner', uuid, 'tokens', query], (cursor) =>
    bodies.GET('/cpms/v1/ocpi-partners/{uuid}/tokens', {
      params: { path: { uuid }, query: { pageSize: 100, ...query, cursor } },
    }),
  );
  const columns = useColumns();
  const change = (part: { uid?: string | undefined; valid?: string | undefined }) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...part }),
      replace: true,
      resetScroll: false,
    });
  const isFiltered = Object.keys(query).length > 0;
  return (
    <Card title={t('tokens.title')} hasPadding={false}>
      <search className={styles['listFilters']} aria-label={t('people:filters')}>
        <SearchField
          label={t('tokens:partners.uid')}
          placeholder="04A1B2C3D4E5F6"
          value={uid ?? ''}
          maxLength={36}
          onChange={(text) => change({ uid: text })}
        />
        <FilterSelect
          label={t('tokens:field.state')}
          any={t('people:any')}
          options={[
            { id: 'true', text: t('tokens:partners.valid') },
            { id: 'false', text: t('tokens:partners.invalid') },
          ]}
          value={valid}
          onChange={(valid) => change({ valid })}
        />
      </search>
      <StaleNotice query={list} />
      {list.data === undefined ? (
        <QueryPending query={list} height={128} />
      ) : list.count === 0 ? (
        <Empty title={isFiltered ? t('common:empty.filtered') : t('tokens.none')} />
      ) : (
        <DataTable
          label={t('tokens.title')}
          columns={columns}
          count={list.count}
          rowAt={list.rowAt}
          keyOf={(token) => `${partyName(token)} ${token.uid} ${token.type}`}
          onRange={list.onRange}
          onOpen={(token) =>
            void navigate({ to: '/people/tokens', search: { tab: 'partners', uid: token.uid } })
          }
          height={320}
        />
      )}
    </Card>
  );
}

function useColumns(): Column<Token>[] {
  const { t } = useTranslation(['roaming', 'tokens']);
  const formats = useFormats();
  return useMemo(
    () =>
      columnsOf(
        {
          uid: { width: 170, phone: 150, grow: true, cell: ({ uid }) => uid },
          party: { width: 90, phone: false, cell: (token) => partyName(token) },
          type: { width: 100, phone: false, cell: ({ type }) => t(`tokens:type.${type}`) },
          contract: { width: 190, phone: false, grow: true, cell: ({ contractId }) => contractId },
          state: { width: 190, phone: 160, cell: (token) => <TokenState {...token} /> },
          whitelist: {
            width: 150,
            phone: false,
            cell: ({ whitelist }) => t(`tokens:acceptance.${whitelist}`),
          },
          updated: {
            width: 160,
            phone: false,
            cell: ({ lastUpdated }) => formats.shortDateTime(lastUpdated),
          },
        },
        (id) =>
          id === 'party'
            ? t('tokens:partners.party')
            : id === 'updated'
              ? t('tokens:partners.updated')
              : t(`tokens:field.${id}`),
      ),
    [t, formats],
  );
}

function TokenState({ valid, isGranted }: Pick<Token, 'valid' | 'isGranted'>) {
  const { t } = useTranslation(['roaming', 'tokens']);
  if (!isGranted) return <StateBadge state="unavailable" word={t('tokens.notGranted')} />;
  return (
    <StateBadge
      state={valid ? 'available' : 'faulted'}
      word={t(valid ? 'tokens:partners.valid' : 'tokens:partners.invalid')}
    />
  );
}
