import { webhookOrders } from '#shared/domain/events/webhook.ts';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScopes } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { fieldErrors, FormError } from '../../ui/field-errors.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { ChargerChoice, LocationChoice } from '../../ui/fleet-choice.tsx';
import form from '../../ui/form.module.css';
import { TypeChoice } from './type-choice.tsx';
import type { WebhookDraft } from './webhook-draft.ts';

const shownFields = ['url', 'description'];

interface Props {
  first: WebhookDraft;
  /** Network of the webhook. Another one drops the chosen charger and location. */
  networkUuid: string | undefined;
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
export function WebhookForm({
  first,
  networkUuid,
  action,
  error,
  isSending,
  children,
  onSubmit,
  onClose,
}: Props) {
  const { t } = useTranslation(['webhooks', 'common']);
  const can = useScopes();
  const [draft, setDraft] = useState(first);
  const [network, setNetwork] = useState(networkUuid);
  if (network !== networkUuid) {
    setNetwork(networkUuid);
    setDraft({ ...draft, chargerId: undefined, locationId: undefined });
  }
  const set = (changed: Partial<WebhookDraft>) => setDraft({ ...draft, ...changed });
  const errorOf = fieldErrors(error);
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
          <ChargerChoice
            label={t('field.charger')}
            placeholder={t('allChargers')}
            value={draft.chargerId}
            networkUuid={networkUuid}
            onChange={(chargerId) => set({ chargerId })}
          />
        )}
        {can('cpms:read:locations') && (
          <LocationChoice
            label={t('field.location')}
            placeholder={t('allLocations')}
            value={draft.locationId}
            networkUuid={networkUuid}
            onChange={(locationId) => set({ locationId })}
          />
        )}
      </div>
      <Select
        label={t('field.order')}
        options={webhookOrders.map((id) => ({ id, text: t(`order.${id}`) }))}
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
