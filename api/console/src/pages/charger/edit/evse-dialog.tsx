import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../api/client.ts';
import { useCan } from '../../../app/caller.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { fieldErrors } from '../../../ui/field-errors.tsx';
import form from '../../../ui/form.module.css';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { SaveActions } from '../../../ui/save-actions.tsx';
import { notify } from '../../../ui/toast.tsx';
import { DirectionFields } from '../../locations/direction-fields.tsx';
import { ImageFields } from '../../locations/image-fields.tsx';
import { locationQuery } from '../../locations/location-queries.ts';
import { ifVersion } from '../../people/if-version.ts';
import { EvseAbilities } from './evse-abilities.tsx';
import { type Evse, evseChange, type EvseDraft, evseDraftOf } from './evse-draft.ts';
import { EvseFields } from './evse-fields.tsx';
import { EvseParking } from './evse-parking.tsx';
import { PlannedStatuses } from './planned-statuses.tsx';
import { connectorQuery, evseQuery } from './record-queries.ts';

interface Props {
  charger: Schemas['Charger'];
  /** Connector of the EVSE. */
  connectorUuid: string;
  onClose: () => void;
}

/** Changes what drivers and roaming partners see of the EVSE of a connector. */
export function EvseDialog({ charger, connectorUuid, onClose }: Props) {
  const { t } = useTranslation('evseForm');
  const mayReadLocation = useCan('cpms:read:locations');
  const connector = useQuery(connectorQuery(charger.id, connectorUuid));
  const number = connector.data?.evseNumber;
  const evse = useQuery({ ...evseQuery(charger.id, number ?? 0), enabled: number !== undefined });
  const hasLocation = charger.locationUuid !== null && mayReadLocation;
  const location = useQuery({ ...locationQuery(charger.locationUuid ?? ''), enabled: hasLocation });
  const error = connector.error ?? evse.error ?? location.error;
  return (
    <Dialog title={t('evse.title', { number: number ?? '' })} shape="wide" isOpen onClose={onClose}>
      {evse.data !== undefined && (location.data !== undefined || !hasLocation) ? (
        <EvseForm evse={evse.data} location={location.data ?? null} onClose={onClose} />
      ) : error === null ? (
        <Skeleton height={480} />
      ) : (
        <ErrorNotice error={error} />
      )}
    </Dialog>
  );
}

function EvseForm({
  evse: current,
  location,
  onClose,
}: {
  evse: Evse;
  /** Null: the charger has none, or the caller may not read it. */
  location: Schemas['Location'] | null;
  onClose: () => void;
}) {
  const { t } = useTranslation(['evseForm', 'common']);
  const queries = useQueryClient();
  // The draft belongs to the version that was opened: a change by another user is not overwritten.
  const [evse] = useState(current);
  const [timeZone] = useState(() => location?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [before] = useState(() => evseDraftOf(evse, timeZone));
  const [draft, setDraft] = useState(before);
  const change = (part: Partial<EvseDraft>) => setDraft((now) => ({ ...now, ...part }));
  const changes = evseChange(before, draft, timeZone);
  const saving = useMutation({
    mutationFn: () =>
      dataOf(
        api.PATCH('/cpms/v1/chargers/{uuid}/evses/{number}', {
          params: { path: { uuid: evse.chargerId, number: evse.number }, header: ifVersion(evse) },
          body: changes,
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['charger', evse.chargerId] });
      notify('done', t('evse.done', { number: evse.number }));
      onClose();
    },
  });
  const part = { draft, errorOf: fieldErrors(saving.error), onChange: change };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form className={form['form']} onSubmit={submit} noValidate>
      <EvseFields {...part} />
      <EvseAbilities {...part} />
      <EvseParking {...part} places={location?.parkingPlaces ?? []} />
      <DirectionFields
        directions={draft.directions}
        errorOf={part.errorOf}
        onChange={(directions) => change({ directions })}
      />
      <PlannedStatuses {...part} timeZone={timeZone} />
      <ImageFields
        field="images"
        images={draft.images}
        errorOf={part.errorOf}
        onChange={(images) => change({ images })}
      />
      <SaveActions saving={saving} isReady={Object.keys(changes).length > 0} onClose={onClose} />
    </form>
  );
}
