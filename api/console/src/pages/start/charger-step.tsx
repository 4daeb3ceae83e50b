import { ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import { bound } from '../../ui/bound.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { Select, TextField } from '../../ui/field.tsx';
import { LocationChoice } from '../../ui/fleet-choice.tsx';
import form from '../../ui/form.module.css';
import { ModelChoice } from '../charger/edit/model-choice.tsx';
import {
  type ChargerDraft,
  type ConnectorKind,
  addConnectors,
  connectorKinds,
  registerCharger,
} from './start-api.ts';
import { StepForm } from './step-form.tsx';

const serialPattern = /^(?!\.\.?$)(?! )(?:[^:\p{C}\p{Z}]| ){1,48}(?<! )$/u;
const counts = ['1', '2', '3', '4'] as const;
const kinds = Object.keys(connectorKinds) as ConnectorKind[];

interface Props {
  network: Schemas['Network'];
  locationUuid: string | undefined;
  /** Chargers of the network so far. */
  total: number;
  /** Identity of a rejected charger to register. */
  identity: string | undefined;
  /** The charger has its password, and no connectors yet. */
  onRegistered: (charger: Schemas['CreatedCharger']) => void;
  onCreated: (charger: Schemas['CreatedCharger']) => void;
}

/** Third step: a charger with its connectors. */
export function ChargerStep({ network, locationUuid, total, identity, onRegistered, onCreated }: Props) {
  const { t } = useTranslation(['start', 'chargerForm']);
  const queries = useQueryClient();
  const [draft, setDraft] = useState<ChargerDraft>({
    serial: identity ?? `${network.slug.toUpperCase().slice(0, 40)}-${total + 1}`,
    locationUuid,
    modelUuid: undefined,
    ocppVersion: ocppVersions[0],
    connectors: 1,
    kind: 'ac11',
  });
  const change = (part: Partial<ChargerDraft>) => setDraft((before) => ({ ...before, ...part }));
  // A charger whose connectors failed gets them by the next attempt.
  const [registered, setRegistered] = useState<Schemas['CreatedCharger'] | null>(null);
  const creating = useMutation({
    mutationFn: async () => {
      const charger = registered ?? (await registerCharger(network.id, draft));
      setRegistered(charger);
      onRegistered(charger);
      await addConnectors(charger.id, draft);
      return charger;
    },
    // The result holds a password.
    gcTime: 0,
    onSuccess: async (created) => {
      onCreated(created);
      for (const key of ['chargers', 'fleet-counts']) await queries.invalidateQueries({ queryKey: [key] });
    },
  });
  const isSerial = serialPattern.test(draft.serial);
  return (
    <StepForm
      action={t('charger.action')}
      isReady={isSerial}
      isSending={creating.isPending}
      error={creating.error}
      onSubmit={() => creating.mutate()}
    >
      <p>{t('charger.why')}</p>
      {registered === null ? (
        <div className={form['pair']}>
          <TextField
            label={t('charger.serial')}
            description={t('charger.serialHint')}
            {...bound(draft, change, 'serial')}
            isRequired
            maxLength={48}
            isInvalid={draft.serial !== '' && !isSerial}
            errorMessage={t('charger.serialError')}
          />
          <Select
            label={t('charger.version')}
            description={t('charger.versionHint')}
            options={ocppVersions.map((id) => ({ id, text: `OCPP ${id}` }))}
            {...bound(draft, change, 'ocppVersion')}
          />
        </div>
      ) : (
        <p>{t('charger.unfinished', { charger: registered.uid })}</p>
      )}
      <div className={form['pair']}>
        <Select
          label={t('charger.connectors')}
          options={counts.map((id) => ({ id, text: id }))}
          value={counts.find((count) => Number(count) === draft.connectors) ?? null}
          onChange={(count) => change({ connectors: Number(count) })}
        />
        <Select
          label={t('charger.kind')}
          options={kinds.map((id) => ({ id, text: t(`charger.kinds.${id}`) }))}
          {...bound(draft, change, 'kind')}
        />
      </div>
      {registered === null && (
        <div className={form['pair']}>
          <LocationChoice
            label={t('chargerForm:location')}
            placeholder={t('chargerForm:noLocation')}
            {...bound(draft, change, 'locationUuid')}
            networkUuid={network.id}
          />
          <ModelChoice {...bound(draft, change, 'modelUuid')} />
        </div>
      )}
    </StepForm>
  );
}
