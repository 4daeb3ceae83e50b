import { PageList } from '../../ui/table/list-table.tsx';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from '../../ui/icons/icons.ts';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body, type Schemas, dataOf } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCaller, useCan } from '../../app/caller.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import page from '../../ui/list-page.module.css';
import { Empty } from '../../ui/notice.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { FormDialog } from '../../ui/form.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { fieldErrors } from '../../ui/field-errors.tsx';
import { TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { ZoneChoice } from './zone-choice.tsx';

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
      { id: 'name', title: t('field.name'), width: 180, grow: true, cell: ({ name }) => name },
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

const codes = ['currency', 'countryCode', 'partyId'] as const;
const shownFields = ['name', 'slug', 'timeZone', ...codes];
const lengths = { currency: 3, countryCode: 2, partyId: 3 };

/** Creates a network. Currency and short name stay; everything else is on its page. */
function NewNetworkDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (uuid: string) => void;
}) {
  const { t } = useTranslation(['networks', 'common']);
  const formats = useFormats();
  const queries = useQueryClient();
  const [draft, setDraft] = useState({
    name: '',
    slug: '',
    currency: 'EUR',
    countryCode: '',
    partyId: '',
    timeZone: formats.timeZone,
  });
  const creating = useMutation({
    mutationFn: (body: Schemas['CreateNetworkRequest']) => dataOf(api.POST('/cpms/v1/networks', { body })),
    onSuccess: async ({ id }) => {
      onCreated(id);
      await queries.invalidateQueries({ queryKey: ['networks'] });
    },
  });
  const errorOf = fieldErrors(creating.error);
  return (
    <FormDialog
      title={t('create')}
      action={t('create')}
      saving={creating}
      shown={shownFields}
      onSubmit={() => creating.mutate(draft)}
      onClose={onClose}
    >
      <TextField
        label={t('field.name')}
        value={draft.name}
        onChange={(name) => setDraft({ ...draft, name })}
        maxLength={100}
        isRequired
        {...errorOf('name')}
      />
      <TextField
        label={t('field.slug')}
        description={t('slugHint')}
        value={draft.slug}
        onChange={(slug) => setDraft({ ...draft, slug: slug.toLowerCase() })}
        maxLength={40}
        isRequired
        {...errorOf('slug')}
      />
      <div className={form['pair']}>
        {codes.map((name) => (
          <TextField
            key={name}
            label={t(`field.${name}`)}
            value={draft[name]}
            onChange={(text) => setDraft({ ...draft, [name]: text.toUpperCase() })}
            maxLength={lengths[name]}
            isRequired
            {...errorOf(name)}
          />
        ))}
      </div>
      <ZoneChoice value={draft.timeZone} onChange={(timeZone) => setDraft({ ...draft, timeZone })} />
    </FormDialog>
  );
}
