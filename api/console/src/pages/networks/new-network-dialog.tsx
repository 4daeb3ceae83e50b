import { FormDialog } from '../../ui/form.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { useFormats } from '../../texts/formats.ts';
import { fieldErrors } from '../../ui/field-errors.tsx';
import { TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { ZoneChoice } from './zone-choice.tsx';

const codes = ['currency', 'countryCode', 'partyId'] as const;
const shownFields = ['name', 'slug', 'timeZone', ...codes];
const lengths = { currency: 3, countryCode: 2, partyId: 3 };

/** Creates a network. Currency and short name stay; everything else is on its page. */
export function NewNetworkDialog({
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
