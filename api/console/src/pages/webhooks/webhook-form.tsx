import { bound } from '../../ui/bound.ts';
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
import { isLocalUrl, type WebhookDraft } from './webhook-draft.ts';
import { useQuery } from '@tanstack/react-query';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type EventFilter, eventTypesQuery } from './webhook-queries.ts';
import styles from './webhooks.module.css';

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
        {...bound(draft, set, 'url')}
        maxLength={500}
        isRequired
        description={isLocalUrl(draft.url) ? <LocalHint /> : undefined}
        {...errorOf('url')}
      />
      <TextField
        label={t('field.description')}
        {...bound(draft, set, 'description')}
        maxLength={500}
        {...errorOf('description')}
      />
      <TypeChoice chosen={draft.types} onChange={(types) => set({ types })} />
      <div className={form['pair']}>
        {can('cpms:read:chargers') && (
          <ChargerChoice
            label={t('field.charger')}
            placeholder={t('allChargers')}
            {...bound(draft, set, 'chargerId')}
            networkUuid={networkUuid}
          />
        )}
        {can('cpms:read:locations') && (
          <LocationChoice
            label={t('field.location')}
            placeholder={t('allLocations')}
            {...bound(draft, set, 'locationId')}
            networkUuid={networkUuid}
          />
        )}
      </div>
      <Select
        label={t('field.order')}
        options={webhookOrders.map((id) => ({ id, text: t(`order.${id}`) }))}
        {...bound(draft, set, 'order')}
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

/** Explains what a webhook to a local machine needs. */
function LocalHint() {
  const { t } = useTranslation('webhooks');
  return (
    <>
      {t('local')} <code>OUTBOUND_ALLOW=127.0.0.0/8</code>. {t('localListen')}{' '}
      <code>npm run webhooks:listen</code>.
    </>
  );
}

/** Choice of event types: single ones, or all of a subject, including types of later versions. */
function TypeChoice({
  chosen,
  onChange,
}: {
  chosen: ReadonlySet<EventFilter>;
  onChange: (chosen: ReadonlySet<EventFilter>) => void;
}) {
  const { t } = useTranslation('webhooks');
  const types = useQuery(eventTypesQuery).data;
  const set = (type: string, isChosen: boolean, without: readonly string[] = []) => {
    const next = new Set([...chosen].filter((each) => !without.includes(each)));
    // The catalogue of the API has only the types that a filter may name.
    if (isChosen) next.add(type as EventFilter);
    else next.delete(type as EventFilter);
    onChange(next);
  };
  const subjects = Map.groupBy(types ?? [], ({ type }) => type.slice(0, type.indexOf('.')));
  return (
    <fieldset className={styles['types']}>
      <legend>{t('field.types')}</legend>
      <p className={styles['hint']}>{t('typesHint')}</p>
      {types === undefined ? (
        <Skeleton height={200} />
      ) : (
        <div className={styles['subjects']}>
          {[...subjects].map(([subject, each]) => {
            const all = `${subject}.*` as EventFilter;
            const names = each.map(({ type }) => type);
            return (
              <div key={subject}>
                <Checkbox isSelected={chosen.has(all)} onChange={(isChosen) => set(all, isChosen, names)}>
                  <code>{all}</code>
                </Checkbox>
                {!chosen.has(all) &&
                  names.map((type) => (
                    <div key={type} className={styles['type']}>
                      <Checkbox
                        isSelected={chosen.has(type as EventFilter)}
                        onChange={(isChosen) => set(type, isChosen)}
                      >
                        <code>{type}</code>
                      </Checkbox>
                    </div>
                  ))}
              </div>
            );
          })}
        </div>
      )}
    </fieldset>
  );
}
