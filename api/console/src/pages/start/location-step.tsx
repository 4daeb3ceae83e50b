import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { draftOf, fieldsOf } from '../locations/location-draft.ts';
import { LocationFields } from '../locations/location-fields.tsx';
import { StepForm } from './step-form.tsx';

/** First step: the place where the charger stands. */
export function LocationStep({ network }: { network: Schemas['Network'] }) {
  const { t } = useTranslation('start');
  const queries = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(null, network));
  const fields = fieldsOf(draft);
  const creating = useMutation({
    mutationFn: async () => {
      if (fields === null) return;
      await dataOf(api.POST('/cpms/v1/locations', { body: { ...fields, networkUuid: network.id } }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['locations'] }),
  });
  return (
    <StepForm
      action={t('location.action')}
      isReady={fields !== null}
      isSending={creating.isPending}
      error={creating.error}
      onSubmit={() => creating.mutate()}
    >
      <p>{t('location.why')}</p>
      <LocationFields draft={draft} onChange={(part) => setDraft((before) => ({ ...before, ...part }))} />
    </StepForm>
  );
}
