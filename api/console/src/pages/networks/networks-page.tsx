import { PageList } from '../../ui/table/list-table.tsx';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from '../../ui/icons/icons.ts';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body, type Schemas } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCaller, useCan } from '../../app/caller.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import page from '../../ui/list-page.module.css';
import { Empty } from '../../ui/notice.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { NewNetworkDialog } from './new-network-dialog.tsx';

/** Networks of the caller. */
export function NetworksPage() {
  const { t } = useTranslation('networks');
  const navigate = useNavigate();
  const columns = useColumns();
  const [isCreating, setCreating] = useState(false);
  const { unrestricted } = useCaller();
  const mayCreate = useCan('cpms:write:networks') && unrestricted;
  const list = useCursorList(['networks', 'list'], (cursor) =>
    body(api.GET('/cpms/v1/networks', { params: { query: { pageSize: 100, cursor } } })),
  );
  const open = (uuid: string) => void navigate({ to: '/settings/network/$uuid', params: { uuid } });
  return (
    <div className={page['page']}>
      <header className={page['header']}>
        <h1>{t('title')}</h1>
        {mayCreate && (
          <Button kind="primary" onPress={() => setCreating(true)}>
            <Plus aria-hidden size={15} />
            {t('create')}
          </Button>
        )}
      </header>
      <PageList
        list={list}
        empty={<Empty title={t('empty')} />}
        label={t('title')}
        columns={columns}
        onOpen={({ id }) => open(id)}
      />
      {isCreating && <NewNetworkDialog onClose={() => setCreating(false)} onCreated={open} />}
    </div>
  );
}

function useColumns(): Column<Schemas['Network']>[] {
  const { t } = useTranslation('networks');
  const formats = useFormats();
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('field.name'),
        width: 180,
        grow: true,
        cell: ({ id, name }) => (
          <Link to="/settings/network/$uuid" params={{ uuid: id }}>
            {name}
          </Link>
        ),
      },
      { id: 'slug', title: t('field.slug'), width: 150, phone: false, cell: ({ slug }) => slug },
      { id: 'currency', title: t('field.currency'), width: 100, cell: ({ currency }) => currency },
      {
        id: 'timeZone',
        title: t('field.timeZone'),
        width: 180,
        phone: false,
        cell: ({ timeZone }) => timeZone,
      },
      {
        id: 'party',
        title: t('party'),
        width: 120,
        phone: false,
        cell: ({ countryCode, partyId }) => `${countryCode}*${partyId}`,
      },
      {
        id: 'seller',
        title: t('field.legalName'),
        width: 200,
        phone: false,
        cell: ({ legalName }) => legalName ?? absent,
      },
      {
        id: 'updated',
        title: t('updated'),
        width: 190,
        phone: false,
        cell: ({ updatedAt }) => formats.dateTime(updatedAt),
      },
    ],
    [t, formats],
  );
}
