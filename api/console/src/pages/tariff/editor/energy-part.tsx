import { EnergyFields } from '../../locations/energy-fields.tsx';
import { GroupError, useErrors } from './field-errors.tsx';
import type { PartProps } from './general-fields.tsx';

/** Energy mix that drivers and roaming partners see. */
export function EnergyPart({ draft, onChange }: PartProps) {
  const errors = useErrors();
  return (
    <>
      <EnergyFields
        energy={draft.energy}
        shareError={(index) => errors.get(`energy_mix.energy_sources.${index}.percentage`)}
        onChange={(energy) => onChange({ energy })}
      />
      <GroupError field="energy_mix" />
    </>
  );
}
