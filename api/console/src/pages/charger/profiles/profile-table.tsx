import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../api/client.ts';
import { absent, type Formats, useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { type Column, columnsOf } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import { drawnProfile } from './profile-steps.ts';

type Profile = Schemas['ChargingProfile'];

/** Charging profiles with their priority and limits. */
export function ProfileTable({
  profiles,
  onClear,
  onChange,
}: {
  profiles: readonly Profile[];
  onClear: ((profile: Profile) => void) | null;
  /** Changes the limit of a Dynamic profile. */
  onChange: ((profile: Profile) => void) | null;
}) {
  const { t } = useTranslation('chargingProfiles');
  const columns = useColumns(onClear, onChange);
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      count={profiles.length}
      rowAt={(index) => profiles[index]}
      keyOf={({ profileId, evseId, source }) => `${evseId} ${source} ${profileId}`}
      height={320}
    />
  );
}

function useColumns(
  onClear: ((profile: Profile) => void) | null,
  onChange: ((profile: Profile) => void) | null,
) {
  const { t } = useTranslation('chargingProfiles');
  const formats = useFormats();
  return useMemo(
    (): Column<Profile>[] =>
      columnsOf(
        {
          id: { width: 90, cell: ({ profileId }) => profileId },
          connector: {
            width: 120,
            cell: ({ evseId, connectorNumber }) =>
              (connectorNumber ?? evseId) === 0 ? t('wholeCharger') : (connectorNumber ?? evseId),
          },
          purpose: { width: 150, grow: true, cell: ({ purpose }) => purpose },
          level: { width: 90, isNumber: true, cell: ({ stackLevel }) => stackLevel },
          kind: { width: 120, cell: kindText },
          limits: { width: 140, grow: true, cell: (profile) => limitsText(profile, formats) },
          valid: { width: 140, grow: true, cell: (profile) => validText(profile, formats) },
          source: { width: 70, cell: ({ source }) => source },
          reported: { width: 110, cell: ({ reportedAt }) => <RelativeTime value={reportedAt} /> },
          actions: {
            width: 260,
            cell: (profile) => (
              <>
                {onChange !== null && drawnProfile(profile).kind === 'Dynamic' && (
                  <Button
                    kind="quiet"
                    aria-label={t('change.title', { number: profile.profileId })}
                    onPress={() => onChange(profile)}
                  >
                    {t('change.open')}
                  </Button>
                )}
                {onClear !== null && (
                  <Button
                    kind="quiet"
                    aria-label={t('clear.title', { number: profile.profileId })}
                    onPress={() => onClear(profile)}
                  >
                    {t('clear.open')}
                  </Button>
                )}
              </>
            ),
          },
        },
        (id) => t(`columns.${id}`),
      ),
    [t, formats, onClear, onChange],
  );
}

function kindText(profile: Profile): string {
  const { kind, recurrency } = drawnProfile(profile);
  return recurrency === null ? kind : `${kind} (${recurrency})`;
}

function limitsText(profile: Profile, formats: Formats): string {
  const { periods, unit } = drawnProfile(profile);
  const write = (limit: number) =>
    unit === 'W' ? formats.power(limit / 1000) : `${formats.number(limit, limit % 1 === 0 ? 0 : 1)} A`;
  const parts = periods.slice(0, 4).map(({ limit }) => write(limit));
  return [...parts, ...(periods.length > 4 ? ['…'] : [])].join(' → ');
}

function validText(profile: Profile, formats: Formats): string {
  const { validFrom, validTo } = drawnProfile(profile);
  if (validFrom === null && validTo === null) return absent;
  return `${validFrom === null ? '' : formats.shortDateTime(validFrom)} – ${validTo === null ? '' : formats.shortDateTime(validTo)}`;
}
