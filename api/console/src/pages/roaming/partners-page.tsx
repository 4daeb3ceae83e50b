import { PageList } from '../../ui/table/list-table.tsx';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCan } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Empty } from '../../ui/notice.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { partyName } from './parties.ts';
import { PushHealth, RegistrationState } from './partner-state.tsx';
import { type PartnerRow, readPartners } from './roaming-queries.ts';
import page from '../../ui/list-page.module.css';
import styles from './roaming.module.css';

/** Roaming partners with the state of their registration and pushes. */
export function PartnersPage() {
  const { t } = useTranslation('roaming');
  const navigate = useNavigate();
  const network = useNetworkQuery();
  const mayWrite = useCan('cpms:write:ocpi-partners');
  const list = useCursorList(['ocpi-partners', network], (cursor) => readPartners(network, cursor), {
    refetchInterval: 10_000,
  });
  const columns = usePartnerColumns();
  return (
    <div className={page['page']}>
      <header className={styles['header']}>
        <h1>{t('partners.title')}</h1>
        {mayWrite && (
          <Link to="/roaming/partners/new" className={styles['primaryLink']}>
            {t('partners.new')}
          </Link>
        )}
      </header>
      <PageList
        list={list}
        empty={
          <Empty title={t('partners.none')}>
            <p>{t('partners.noneHint')}</p>
          </Empty>
        }
        label={t('partners.title')}
        columns={columns}
        onOpen={({ id }) => void navigate({ to: '/roaming/partners/$uuid', params: { uuid: id } })}
      />
    </div>
  );
}

function usePartnerColumns(): Column<PartnerRow>[] {
  const { t } = useTranslation('roaming');
  const formats = useFormats();
  return useMemo(
    () =>
      columnsOf(
        {
          name: {
            width: 200,
            phone: 150,
            grow: true,
            cell: ({ id, name }) => (
              <Link to="/roaming/partners/$uuid" params={{ uuid: id }}>
                {name}
              </Link>
            ),
          },
          parties: {
            width: 170,
            phone: false,
            grow: true,
            cell: ({ parties }) => parties.map(partyName).join(', ') || absent,
          },
          role: {
            width: 110,
            phone: false,
            cell: ({ roles }) => [...new Set(roles.map(({ role }) => role))].join(', ') || absent,
          },
          version: { width: 90, phone: false, cell: ({ ocpiVersion }) => ocpiVersion ?? absent },
          registration: {
            width: 190,
            phone: 160,
            cell: (partner) => <RegistrationState partner={partner} />,
          },
          health: { width: 170, phone: false, cell: (partner) => <PushHealth partner={partner} /> },
          waiting: {
            width: 120,
            phone: false,
            isNumber: true,
            cell: ({ push }) => formats.integer(push.waiting),
          },
        },
        (id) => t(`column.${id}`),
      ),
    [t, formats],
  );
}
