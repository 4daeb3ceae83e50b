import { capabilities, parkingRestrictions230 } from '#shared/domain/fleet/ocpi-evse.ts';
import { useTranslation } from 'react-i18next';
import { CheckboxGroup } from '../../../ui/checkbox-group.tsx';
import { Select } from '../../../ui/field.tsx';
import type { EvsePartProps } from './evse-fields.tsx';

const sources = ['derived', 'chosen'] as const;

/** Restrictions on parking and capabilities of an EVSE. */
export function EvseAbilities({ draft, onChange }: EvsePartProps) {
  const { t } = useTranslation('evseForm');
  const chosen = draft.capabilities;
  return (
    <>
      <CheckboxGroup
        label={t('evse.restrictions')}
        options={parkingRestrictions230.map((id) => ({ id, text: t(`restriction.${id}`) }))}
        value={draft.restrictions}
        onChange={(next) => onChange({ restrictions: next })}
      />
      <Select
        label={t('evse.capabilities')}
        options={sources.map((id) => ({ id, text: t(`evse.capabilitiesOf.${id}`) }))}
        value={chosen === null ? 'derived' : 'chosen'}
        onChange={(source) => onChange({ capabilities: source === 'derived' ? null : (chosen ?? []) })}
      />
      {chosen !== null && (
        <CheckboxGroup
          label={t('evse.chosenCapabilities')}
          options={capabilities.map((id) => ({ id, text: t(`capability.${id}`) }))}
          value={chosen}
          onChange={(next) => onChange({ capabilities: next })}
        />
      )}
    </>
  );
}
