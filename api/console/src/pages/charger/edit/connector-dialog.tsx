import { useChange } from '../../../app/use-change.ts';
import { bound } from '../../../ui/bound.ts';
import { Form } from '../../../ui/form.tsx';
import { connectorCapabilities, type ConnectorCapability } from '#shared/domain/fleet/ocpi-evse.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../../api/client.ts';
import { CheckboxGroup } from '../../../ui/checkbox-group.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { fieldErrors } from '../../../ui/field-errors.tsx';
import { TextField } from '../../../ui/field.tsx';
import { ifVersion } from '../../people/if-version.ts';
import { connectorQuery } from './record-queries.ts';
import { changedFields } from '../../../api/changed-fields.ts';
import { textOf } from '../../../texts/numbers.ts';
import { QueryPending } from '../../../ui/notice.tsx';
import {
  areLimits,
  formats,
  plugBodyOf,
  type PlugDraft,
  PlugFields,
  powerChoices,
  unknown,
} from './plug-fields.tsx';

type Connector = Schemas['Connector'];
type Change = Schemas['UpdateConnectorRequest'];

/** Connector in a form. */
interface ConnectorDraft extends PlugDraft {
  termsAndConditions: string;
  capabilities: readonly ConnectorCapability[];
}

const connectorDraftOf = (connector: Connector): ConnectorDraft => ({
  standard: connector.standard,
  format: formats.find((format) => format === connector.format) ?? unknown,
  powerType: powerChoices.find((type) => type === connector.powerType) ?? unknown,
  maxPower: textOf(connector.maxPowerKw),
  maxVoltage: textOf(connector.maxVoltage),
  maxAmperage: textOf(connector.maxAmperage),
  termsAndConditions: connector.termsAndConditions ?? '',
  capabilities: connector.capabilities,
});

function bodyOf(draft: ConnectorDraft): Required<Change> {
  const terms = draft.termsAndConditions.trim();
  return {
    ...plugBodyOf(draft),
    termsAndConditions: terms === '' ? null : terms,
    capabilities: [...draft.capabilities],
  };
}

/** Returns the fields that were changed. */
const connectorChange = (before: ConnectorDraft, after: ConnectorDraft): Change =>
  changedFields(bodyOf(before), bodyOf(after));

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
      ) : (
        <QueryPending query={{ error, refetch }} height={320} />
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
  // The draft belongs to the version that was opened: a change by another user is not overwritten.
  const [connector] = useState(current);
  const [before] = useState(() => connectorDraftOf(connector));
  const [draft, setDraft] = useState(before);
  const change = (part: Partial<ConnectorDraft>) => setDraft((now) => ({ ...now, ...part }));
  const changes = connectorChange(before, draft);
  const saving = useChange({
    mutationFn: () =>
      api.PATCH('/cpms/v1/connectors/{uuid}', {
        params: { path: { uuid: connector.id }, header: ifVersion(connector) },
        body: changes,
      }),
    invalidates: ['charger', connector.chargerId],
    done: () => t('connector.done', { number: connector.number }),
    onDone: onClose,
  });
  const errorOf = fieldErrors(saving.error);
  const isSendable = Object.keys(changes).length > 0 && areLimits(draft);
  return (
    <Form noValidate saving={saving} isReady={isSendable} onSubmit={() => saving.mutate()} onClose={onClose}>
      <PlugFields draft={draft} errorOf={errorOf} onChange={change} />
      <CheckboxGroup
        label={t('connector.capabilities')}
        description={t('connector.capabilitiesHint')}
        options={connectorCapabilities.map((id) => ({ id, text: t(`connector.capability.${id}`) }))}
        {...bound(draft, change, 'capabilities')}
      />
      <TextField
        label={t('connector.terms')}
        type="url"
        placeholder="https://"
        {...bound(draft, change, 'termsAndConditions')}
        maxLength={255}
        {...errorOf('termsAndConditions')}
      />
    </Form>
  );
}
