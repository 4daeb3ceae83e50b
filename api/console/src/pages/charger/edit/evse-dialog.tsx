import { useChange } from '../../../app/use-change.ts';
import { bound } from '../../../ui/bound.ts';
import { Form } from '../../../ui/form.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageZone } from '../../../texts/page-zone.ts';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../../api/client.ts';
import { useCan } from '../../../app/caller.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { fieldErrors } from '../../../ui/field-errors.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { DirectionFields } from '../../locations/direction-fields.tsx';
import { ImageFields } from '../../locations/image-fields.tsx';
import { locationQuery } from '../../locations/location-queries.ts';
import { ifVersion } from '../../people/if-version.ts';
import { type Evse, evseChange, type EvseDraft, evseDraftOf, type PlannedDraft } from './evse-draft.ts';
import { EvseFields, type EvsePartProps } from './evse-fields.tsx';
import { EvseParking } from './evse-parking.tsx';
import { connectorQuery, evseQuery } from './record-queries.ts';
import { capabilities, parkingRestrictions230, evseStatuses } from '#shared/domain/fleet/ocpi-evse.ts';
import { CheckboxGroup } from '../../../ui/checkbox-group.tsx';
import { Select, TextField } from '../../../ui/field.tsx';
import { RowList } from '../../../ui/row-list.tsx';

const maxPeriods = 100;

/** Planned statuses of an EVSE, such as maintenance. */
function PlannedStatuses({ draft: { planned }, errorOf, onChange }: EvsePartProps) {
  const { t } = useTranslation(['evseForm', 'locations']);
  return (
    <RowList<PlannedDraft>
      label={t('planned.label')}
      rows={planned}
      max={maxPeriods}
      add={t('planned.add')}
      remove={(index) => t('planned.remove', { number: index + 1 })}
      create={() => ({ begin: '', end: '', status: 'INOPERATIVE', read: null })}
      onChange={(next) => onChange({ planned: next })}
    >
      {({ begin, end, status }, change, index) => (
        <>
          <Select
            label={t('planned.status')}
            options={evseStatuses.map((id) => ({ id, text: t(`status.${id}`) }))}
            value={status}
            onChange={(next) => change({ status: next })}
          />
          <TextField
            label={t('locations:exception.begin')}
            type="datetime-local"
            value={begin}
            onChange={(text) => change({ begin: text })}
            {...errorOf(`statusSchedule.${index}.periodBegin`)}
          />
          <TextField
            label={t('planned.end')}
            type="datetime-local"
            value={end}
            onChange={(text) => change({ end: text })}
            {...errorOf(`statusSchedule.${index}.periodEnd`)}
          />
        </>
      )}
    </RowList>
  );
}

const sources = ['derived', 'chosen'] as const;

/** Restrictions on parking and capabilities of an EVSE. */
function EvseAbilities({ draft, onChange }: EvsePartProps) {
  const { t } = useTranslation('evseForm');
  const chosen = draft.capabilities;
  return (
    <>
      <CheckboxGroup
        label={t('evse.restrictions')}
        options={parkingRestrictions230.map((id) => ({ id, text: t(`restriction.${id}`) }))}
        {...bound(draft, onChange, 'restrictions')}
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
  // The draft belongs to the version that was opened: a change by another user is not overwritten.
  const [evse] = useState(current);
  const timeZone = usePageZone();
  const [before] = useState(() => evseDraftOf(evse, timeZone));
  const [draft, setDraft] = useState(before);
  const change = (part: Partial<EvseDraft>) => setDraft((now) => ({ ...now, ...part }));
  const changes = evseChange(before, draft, timeZone);
  const saving = useChange({
    mutationFn: () =>
      api.PATCH('/cpms/v1/chargers/{uuid}/evses/{number}', {
        params: { path: { uuid: evse.chargerId, number: evse.number }, header: ifVersion(evse) },
        body: changes,
      }),
    invalidates: ['charger', evse.chargerId],
    done: () => t('evse.done', { number: evse.number }),
    onDone: onClose,
  });
  const part = { draft, errorOf: fieldErrors(saving.error), onChange: change };
  return (
    <Form
      noValidate
      saving={saving}
      isReady={Object.keys(changes).length > 0}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <EvseFields {...part} />
      <EvseAbilities {...part} />
      <EvseParking {...part} places={location?.parkingPlaces ?? []} />
      <DirectionFields
        directions={draft.directions}
        errorOf={part.errorOf}
        onChange={(directions) => change({ directions })}
      />
      <PlannedStatuses {...part} />
      <ImageFields
        field="images"
        images={draft.images}
        errorOf={part.errorOf}
        onChange={(images) => change({ images })}
      />
    </Form>
  );
}
