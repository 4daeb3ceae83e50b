import { connectorCapabilities } from '#shared/domain/fleet/ocpi-evse.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../api/client.ts';
import { CheckboxGroup } from '../../../ui/checkbox-group.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { fieldErrors } from '../../../ui/field-errors.tsx';
import { Select, TextField } from '../../../ui/field.tsx';
import form from '../../../ui/form.module.css';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { SaveActions } from '../../../ui/save-actions.tsx';
import { notify } from '../../../ui/toast.tsx';
import { ifVersion } from '../../people/if-version.ts';
import {
  connectorChange,
  type ConnectorDraft,
  connectorDraftOf,
  formats,
  isLimit,
  limits,
  powerChoices,
} from './connector-draft.ts';
import { connectorQuery } from './record-queries.ts';
import { StandardChoice } from './standard-choice.tsx';

interface Props {
  chargerUuid: string;
  uuid: string;
  number: number;
  onClose: () => void;
}

/** Changes the record of a connector: plug, limits, functions. */
export function ConnectorDialog({ chargerUuid, uuid, number, onClose }: Props) {
  const { t } = useTranslation('evseForm');
  const { data, error, refetch } = useQuery(connectorQuery(chargerUuid, uuid));
  return (
    <Dialog title={t('connector.title', { number })} isOpen onClose={onClose}>
      {data !== undefined ? (
        <ConnectorForm connector={data} onClose={onClose} />
      ) : error === null ? (
        <Skeleton height={320} />
      ) : (
        <ErrorNotice error={error} retry={() => void refetch()} />
      )}
    </Dialog>
  );
}

function ConnectorForm({
  connector: current,
  onClose,
}: {
  connector: Schemas['Connector'];
  onClose: () => void;
}) {
  const { t } = useTranslation(['evseForm', 'common']);
  const queries = useQueryClient();
  // The draft belongs to the version that was opened: a change by another user is not overwritten.
  const [connector] = useState(current);
  const [before] = useState(() => connectorDraftOf(connector));
  const [draft, setDraft] = useState(before);
  const change = (part: Partial<ConnectorDraft>) => setDraft((now) => ({ ...now, ...part }));
  const changes = connectorChange(before, draft);
  const saving = useMutation({
    mutationFn: () =>
      dataOf(
        api.PATCH('/cpms/v1/connectors/{uuid}', {
          params: { path: { uuid: connector.id }, header: ifVersion(connector) },
          body: changes,
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['charger', connector.chargerId] });
      notify('done', t('connector.done', { number: connector.number }));
      onClose();
    },
  });
  const errorOf = fieldErrors(saving.error);
  const isSendable = Object.keys(changes).length > 0 && limits.every((limit) => isLimit(draft[limit]));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form className={form['form']} onSubmit={submit} noValidate>
      <StandardChoice value={draft.standard} onChange={(standard) => change({ standard })} />
      <div className={form['pair']}>
        <Select
          label={t('connector.format.label')}
          options={formats.map((id) => ({ id, text: t(`connector.format.${id}`) }))}
          value={draft.format}
          onChange={(format) => change({ format })}
        />
        <Select
          label={t('connector.powerType.label')}
          options={powerChoices.map((id) => ({ id, text: t(`connector.powerType.${id}`) }))}
          value={draft.powerType}
          onChange={(powerType) => change({ powerType })}
        />
      </div>
      <div className={form['short']}>
        {limits.map((limit) => (
          <TextField
            key={limit}
            label={t(`connector.${limit}`)}
            inputMode="decimal"
            value={draft[limit]}
            onChange={(text) => change({ [limit]: text })}
            {...(isLimit(draft[limit])
              ? errorOf(limit)
              : { isInvalid: true, errorMessage: t('connector.noNumber') })}
          />
        ))}
      </div>
      <CheckboxGroup
        label={t('connector.capabilities')}
        description={t('connector.capabilitiesHint')}
        options={connectorCapabilities.map((id) => ({ id, text: t(`connector.capability.${id}`) }))}
        value={draft.capabilities}
        onChange={(capabilities) => change({ capabilities })}
      />
      <TextField
        label={t('connector.terms')}
        type="url"
        placeholder="https://"
        value={draft.termsAndConditions}
        onChange={(termsAndConditions) => change({ termsAndConditions })}
        maxLength={255}
        {...errorOf('termsAndConditions')}
      />
      <SaveActions saving={saving} isReady={isSendable} onClose={onClose} />
    </form>
  );
}
