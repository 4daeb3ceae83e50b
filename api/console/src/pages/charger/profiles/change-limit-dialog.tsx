import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../../api/client.ts';
import { useChange } from '../../../app/use-change.ts';
import { requiredNumber, textOf } from '../../../texts/numbers.ts';
import { TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { drawnProfile } from './profile-steps.ts';

/** Changes the limit of a Dynamic profile, which applies at once. A refusal stays in the dialog. */
export function ChangeLimitDialog({
  charger,
  profile,
  queryKey,
  onClose,
}: {
  charger: Schemas['Charger'];
  profile: Schemas['ChargingProfile'];
  queryKey: QueryKey;
  onClose: () => void;
}) {
  const { t } = useTranslation(['chargingProfiles', 'charger']);
  const { periods, unit } = drawnProfile(profile);
  const [limit, setLimit] = useState(() => textOf(periods[0]?.limit ?? 0));
  const { profileId } = profile;
  const sending = useChange({
    mutationFn: async () => {
      const sent = await api.POST('/cpms/v1/chargers/{chargerUuid}/charging-profiles/{profileId}/limit', {
        params: { path: { chargerUuid: charger.id, profileId } },
        body: { limit: requiredNumber(limit) },
      });
      if (!sent.accepted) throw new Error(t('charger:command.refused', { message: sent.message }));
      return sent;
    },
    invalidates: queryKey,
    done: () => t('change.done'),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={t('change.title', { number: profileId })}
      action={t('change.action')}
      saving={sending}
      onSubmit={() => sending.mutate()}
      onClose={onClose}
    >
      <TextField
        label={t('change.limit', { unit })}
        value={limit}
        onChange={setLimit}
        inputMode="decimal"
        isRequired
      />
    </FormDialog>
  );
}
