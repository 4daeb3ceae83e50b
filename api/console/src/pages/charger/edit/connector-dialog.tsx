import { useChange } from '../../../app/use-change.ts';
import { bound } from '../../../ui/bound.ts';
import { Form } from '../../../ui/form.tsx';
import {
  connectorCapabilities,
  type ConnectorCapability,
  connectorFormats,
  powerTypes,
} from '#shared/domain/fleet/ocpi-evse.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../api/client.ts';
import { CheckboxGroup } from '../../../ui/checkbox-group.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { fieldErrors } from '../../../ui/field-errors.tsx';
import { Select, TextField } from '../../../ui/field.tsx';
import form from '../../../ui/form.module.css';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { ifVersion } from '../../people/if-version.ts';
import { connectorQuery } from './record-queries.ts';
import { changedFields } from '../../../api/changed-fields.ts';
import { numberOf, textOf } from '../../../texts/numbers.ts';
import { ComboBox } from '../../../ui/combo-box.tsx';
import { plugName } from '../connectors/plug-name.ts';

type Connector = Schemas['Connector'];
type Change = Schemas['UpdateConnectorRequest'];

/** Choice for what is not known. */
const unknown = 'UNKNOWN' as const;

const formats = [unknown, ...connectorFormats] as const;
const powerChoices = [unknown, ...powerTypes] as const;

/** Limits of a connector, each a number with its unit. */
const limits = ['maxPower', 'maxVoltage', 'maxAmperage'] as const;
type Limit = (typeof limits)[number];

/** Connector in a form. Numbers are texts, as they are typed. */
interface ConnectorDraft extends Record<Limit, string> {
  standard: string | null;
  format: (typeof formats)[number];
  powerType: (typeof powerChoices)[number];
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

/** Returns whether the text of a limit is empty or a number. */
const isLimit = (text: string): boolean => numberOf(text) !== undefined;

function bodyOf(draft: ConnectorDraft): Required<Change> {
  const terms = draft.termsAndConditions.trim();
  return {
    standard: draft.standard,
    format: draft.format === unknown ? null : draft.format,
    powerType: draft.powerType === unknown ? null : draft.powerType,
    maxPower: numberOf(draft.maxPower) ?? null,
    maxVoltage: numberOf(draft.maxVoltage) ?? null,
    maxAmperage: numberOf(draft.maxAmperage) ?? null,
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
  // The draft belongs to the version that was opened: a change by another user is not overwritten.
  const [connector] = useState(current);
  const [before] = useState(() => connectorDraftOf(connector));
  const [draft, setDraft] = useState(before);
  const change = (part: Partial<ConnectorDraft>) => setDraft((now) => ({ ...now, ...part }));
  const changes = connectorChange(before, draft);
  const saving = useChange({
    mutationFn: () =>
      dataOf(
        api.PATCH('/cpms/v1/connectors/{uuid}', {
          params: { path: { uuid: connector.id }, header: ifVersion(connector) },
          body: changes,
        }),
      ),
    invalidates: ['charger', connector.chargerId],
    done: () => t('connector.done', { number: connector.number }),
    onDone: onClose,
  });
  const errorOf = fieldErrors(saving.error);
  const isSendable = Object.keys(changes).length > 0 && limits.every((limit) => isLimit(draft[limit]));
  return (
    <Form noValidate saving={saving} isReady={isSendable} onSubmit={() => saving.mutate()} onClose={onClose}>
      <StandardChoice {...bound(draft, change, 'standard')} />
      <div className={form['pair']}>
        <Select
          label={t('connector.format.label')}
          options={formats.map((id) => ({ id, text: t(`connector.format.${id}`) }))}
          {...bound(draft, change, 'format')}
        />
        <Select
          label={t('connector.powerType.label')}
          options={powerChoices.map((id) => ({ id, text: t(`connector.powerType.${id}`) }))}
          {...bound(draft, change, 'powerType')}
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

/** Connector standards of OCPI 2.3.0, with the ones common in Europe and North America first. */
const standards = `
  IEC_62196_T2 IEC_62196_T2_COMBO CHADEMO IEC_62196_T1 IEC_62196_T1_COMBO SAE_J3400 MCS TESLA_S TESLA_R GBT_AC GBT_DC CHAOJI
  IEC_62196_T3A IEC_62196_T3C IEC_60309_2_single_16 IEC_60309_2_three_16 IEC_60309_2_three_32 IEC_60309_2_three_64
  DOMESTIC_A DOMESTIC_B DOMESTIC_C DOMESTIC_D DOMESTIC_E DOMESTIC_F DOMESTIC_G DOMESTIC_H DOMESTIC_I DOMESTIC_J DOMESTIC_K
  DOMESTIC_L DOMESTIC_M DOMESTIC_N DOMESTIC_O NEMA_5_20 NEMA_6_30 NEMA_6_50 NEMA_10_30 NEMA_10_50 NEMA_14_30 NEMA_14_50
  PANTOGRAPH_BOTTOM_UP PANTOGRAPH_TOP_DOWN`
  .trim()
  .split(/\s+/);

interface StandardChoiceProps {
  value: string | null;
  onChange: (standard: string | null) => void;
}

/** Choice of the standard of a connector. A stored standard that OCPI does not have stays among the options. */
function StandardChoice({ value, onChange }: StandardChoiceProps) {
  const { t } = useTranslation('evseForm');
  const ids = value === null || standards.includes(value) ? standards : [value, ...standards];
  return (
    <ComboBox
      label={t('connector.standard')}
      options={ids.map((id) => ({ id, text: plugName(id) === id ? id : `${plugName(id)} (${id})` }))}
      value={value}
      onChange={onChange}
    />
  );
}
