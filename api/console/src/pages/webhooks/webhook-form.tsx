import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../api/client.ts';
import { useScopes } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { fieldErrors, FormError } from '../../ui/field-errors.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import { ObjectChoice } from '../../ui/object-choice.tsx';
import { TypeChoice } from './type-choice.tsx';
import type { WebhookDraft } from './webhook-draft.ts';

const orders = ['object', 'endpoint'] as const;
const shownFields = ['url', 'description'];
const path = (uuid: string) => ({ params: { path: { uuid } } });

interface Props {
  first: WebhookDraft;
  /** Text of the button that sends the form. */
  action: string;
  error: Error | null;
  isSending: boolean;
  /** Fields before the others. */
  children?: ReactNode;
  onSubmit: (draft: WebhookDraft) => void;
  onClose: () => void;
}

/** Fields of a webhook. */
export function WebhookForm({ first, action, error, isSending, children, onSubmit, onClose }: Props) {
  const { t } = useTranslation(['webhooks', 'common']);
  const network = useNetworkQuery();
  const can = useScopes();
  const [draft, setDraft] = useState(first);
  const set = (changed: Partial<WebhookDraft>) => setDraft({ ...draft, ...changed });
  const errorOf = fieldErrors(error);
  const queryOf = (text: string) => ({
    params: { query: { ...network, pageSize: 20, ...(text === '' ? {} : { search: text }) } },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(draft);
  };
  return (
    <form onSubmit={submit} className={form['form']}>
      {children}
      <TextField
        label={t('field.url')}
        type="url"
        placeholder="https://"
        value={draft.url}
        onChange={(url) => set({ url })}
        maxLength={500}
        isRequired
        {...errorOf('url')}
      />
      <TextField
        label={t('field.description')}
        value={draft.description}
        onChange={(description) => set({ description })}
        maxLength={500}
        {...errorOf('description')}
      />
      <TypeChoice chosen={draft.types} onChange={(types) => set({ types })} />
      <div className={form['pair']}>
        {can('cpms:read:chargers') && (
          <ObjectChoice
            label={t('field.charger')}
            placeholder={t('allChargers')}
            kind="charger"
            value={draft.chargerId}
            find={async (text) =>
              (await dataOf(api.GET('/cpms/v1/chargers', queryOf(text)))).map(({ id, uid }) => ({
                id,
                name: uid,
              }))
            }
            read={async (id) => {
              const { uid } = await dataOf(api.GET('/cpms/v1/chargers/{uuid}', path(id)));
              return { id, name: uid };
            }}
            onChange={(chargerId) => set({ chargerId })}
          />
        )}
        {can('cpms:read:locations') && (
          <ObjectChoice
            label={t('field.location')}
            placeholder={t('allLocations')}
            kind="location"
            value={draft.locationId}
            find={(text) => dataOf(api.GET('/cpms/v1/locations', queryOf(text)))}
            read={(id) => dataOf(api.GET('/cpms/v1/locations/{uuid}', path(id)))}
            onChange={(locationId) => set({ locationId })}
          />
        )}
      </div>
      <Select
        label={t('field.order')}
        options={orders.map((id) => ({ id, text: t(`order.${id}`) }))}
        value={draft.order}
        onChange={(order) => set({ order })}
      />
      <FormError error={error} shown={shownFields} />
      <DialogActions>
        <Button isDisabled={isSending} onPress={onClose}>
          {t('common:action.cancel')}
        </Button>
        <Button kind="primary" type="submit" isDisabled={isSending}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}
