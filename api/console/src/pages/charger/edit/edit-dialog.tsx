import { useChange } from '../../../app/use-change.ts';
import { bound } from '../../../ui/bound.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../../api/client.ts';
import { useNetworks, useScopes } from '../../../app/caller.tsx';
import { textOrNull } from '../../../texts/entered-text.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Select, TextField } from '../../../ui/field.tsx';
import { LocationChoice } from '../../../ui/fleet-choice.tsx';
import form from '../../../ui/form.module.css';
import { ModelChoice } from './model-choice.tsx';

/** Security profiles of OCPP, by their number. */
const profiles = ['none', 'password', 'tls', 'certificate'] as const;

interface Draft {
  locationUuid: string | undefined;
  modelUuid: string | undefined;
  physicalReference: string;
  floorLevel: string;
  isPublic: boolean;
  securityProfile: (typeof profiles)[number];
  commonName: string;
}

function draftOf(charger: Schemas['Charger']): Draft {
  return {
    locationUuid: charger.locationUuid ?? undefined,
    modelUuid: charger.modelUuid ?? undefined,
    physicalReference: charger.physicalReference ?? '',
    floorLevel: charger.floorLevel ?? '',
    isPublic: charger.isPublic,
    securityProfile: profiles[charger.securityProfile] ?? 'password',
    commonName: charger.certificateCommonName ?? '',
  };
}

/** Returns the fields of a request: those that were changed, so that the others keep what another user entered. */
function changeOf(draft: Draft, before: Draft) {
  const isChanged = (name: keyof Draft) => draft[name] !== before[name];
  return {
    ...(isChanged('isPublic') && { isPublic: draft.isPublic }),
    ...(isChanged('locationUuid') && { locationUuid: draft.locationUuid ?? null }),
    ...(isChanged('modelUuid') && { modelUuid: draft.modelUuid ?? null }),
    ...(isChanged('physicalReference') && { physicalReference: textOrNull(draft.physicalReference) }),
    ...(isChanged('floorLevel') && { floorLevel: textOrNull(draft.floorLevel) }),
    ...(isChanged('commonName') && { certificateCommonName: textOrNull(draft.commonName) }),
    ...(isChanged('securityProfile') && { securityProfile: profiles.indexOf(draft.securityProfile) }),
  };
}

/** Changes where a charger stands, what it is, and how it connects. */
export function EditDialog({ charger, onClose }: { charger: Schemas['Charger']; onClose: () => void }) {
  const { t } = useTranslation(['chargerForm', 'common']);
  const can = useScopes();
  const networks = useNetworks();
  const [before] = useState(() => draftOf(charger));
  const [draft, setDraft] = useState(before);
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const saving = useChange({
    mutationFn: () =>
      api.PATCH('/cpms/v1/chargers/{uuid}', {
        params: { path: { uuid: charger.id } },
        body: changeOf(draft, before),
      }),
    invalidates: ['charger', charger.id],
    done: () => t('edit.done', { charger: charger.uid }),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={t('edit.title', { charger: charger.uid })}
      saving={saving}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      {can('cpms:read:locations') && (
        <LocationChoice
          label={t('location')}
          placeholder={t('noLocation')}
          {...bound(draft, change, 'locationUuid')}
          networkUuid={networks.find(({ networkId }) => networkId === charger.networkId)?.id}
        />
      )}
      {can('cpms:read:catalog') && <ModelChoice {...bound(draft, change, 'modelUuid')} />}
      <div className={form['pair']}>
        <TextField
          label={t('edit.reference')}
          {...bound(draft, change, 'physicalReference')}
          maxLength={16}
        />
        <TextField label={t('edit.floor')} {...bound(draft, change, 'floorLevel')} maxLength={4} />
      </div>
      <Checkbox isSelected={draft.isPublic} onChange={(isPublic) => change({ isPublic })}>
        {t('edit.isPublic')}
      </Checkbox>
      <div className={form['pair']}>
        <Select
          label={t('edit.profile')}
          description={t('edit.profileHint')}
          options={profiles.map((id) => ({ id, text: t(`edit.profiles.${id}`) }))}
          {...bound(draft, change, 'securityProfile')}
        />
        <TextField
          label={t('edit.commonName')}
          description={t('edit.commonNameHint')}
          {...bound(draft, change, 'commonName')}
          maxLength={64}
        />
      </div>
    </FormDialog>
  );
}
