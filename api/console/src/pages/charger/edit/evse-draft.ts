import {
  type Capability,
  type EvseStatus,
  humanStatuses,
  type ParkingRestriction,
} from '#shared/domain/fleet/ocpi-evse.ts';
import { evsePositions } from '#shared/domain/fleet/parking.ts';
import { changedFields } from '../../../api/changed-fields.ts';
import type { Schemas } from '../../../api/client.ts';
import { textOrNull } from '../../../texts/entered-text.ts';
import { requiredNumber, textOf } from '../../../texts/numbers.ts';
import { editedInstant, zonedInput } from '../../../texts/zoned-time.ts';
import type { Direction } from '../../locations/direction-fields.tsx';
import { type ImageDraft, imageDraftOf, imageOf } from '../../locations/image-draft.ts';

export type Evse = Schemas['Evse'];
type Change = Schemas['UpdateEvseRequest'];
type Period = Evse['statusSchedule'][number];
type Parking = Evse['parking'][number];

/** Choice for what is not stated. */
export const unstated = 'UNSTATED' as const;

/** Statuses that an operator sets. */
export const statedStatuses = [unstated, ...humanStatuses] as const;

export const positionChoices = [unstated, ...evsePositions] as const;

/** Parking place of the EVSE in a form. */
export interface ParkingDraft {
  parkingId: string | null;
  evsePosition: (typeof positionChoices)[number];
}

/** Planned status in a form. Begin and end are wall-clock times of the location. */
export interface PlannedDraft {
  begin: string;
  end: string;
  status: EvseStatus;
  /** Period as it was read. Null: a new one. */
  read: Period | null;
}

/** EVSE in a form. Numbers are texts, as they are typed. */
export interface EvseDraft {
  evseId: string;
  statedStatus: EvseStatus | typeof unstated;
  physicalReference: string;
  floorLevel: string;
  restrictions: readonly ParkingRestriction[];
  /** Null: those that follow from OCPP and the model. */
  capabilities: readonly Capability[] | null;
  parking: readonly ParkingDraft[];
  directions: readonly Direction[];
  latitude: string;
  longitude: string;
  planned: readonly PlannedDraft[];
  images: readonly ImageDraft[];
}

export function evseDraftOf(evse: Evse, timeZone: string): EvseDraft {
  return {
    evseId: evse.evseId ?? '',
    statedStatus: evse.statedStatus ?? unstated,
    physicalReference: evse.physicalReference ?? '',
    floorLevel: evse.floorLevel ?? '',
    restrictions: evse.parkingRestrictions,
    capabilities: evse.capabilities,
    parking: evse.parking.map(({ parkingId, evsePosition }) => ({
      parkingId,
      evsePosition: evsePosition ?? unstated,
    })),
    directions: evse.directions,
    latitude: textOf(evse.coordinates?.latitude ?? null),
    longitude: textOf(evse.coordinates?.longitude ?? null),
    planned: evse.statusSchedule.map((read) => ({
      begin: zonedInput(read.periodBegin, timeZone),
      end: read.periodEnd === undefined ? '' : zonedInput(read.periodEnd, timeZone),
      status: read.status,
      read,
    })),
    images: evse.images.map(imageDraftOf),
  };
}

/** Returns an EVSE as requests have it. The server refuses what is incomplete, and names the field. */
function bodyOf(draft: EvseDraft, timeZone: string) {
  const { latitude, longitude, statedStatus } = draft;
  return {
    evseId: textOrNull(draft.evseId),
    statedStatus: statedStatus === unstated ? null : statedStatus,
    physicalReference: textOrNull(draft.physicalReference),
    floorLevel: textOrNull(draft.floorLevel),
    parkingRestrictions: [...draft.restrictions],
    capabilities: draft.capabilities === null ? null : [...draft.capabilities],
    parking: draft.parking.map(({ parkingId, evsePosition }): Parking => ({
      parkingId: parkingId ?? '',
      ...(evsePosition !== unstated && { evsePosition }),
    })),
    directions: draft.directions.map(({ language, text }) => ({ language, text: text.trim() })),
    coordinates:
      latitude.trim() === '' && longitude.trim() === ''
        ? null
        : { latitude: requiredNumber(latitude), longitude: requiredNumber(longitude) },
    statusSchedule: draft.planned.map(({ begin, end, status, read }): Period => {
      const periodEnd = editedInstant(end, timeZone, read?.periodEnd ?? null);
      return {
        periodBegin: editedInstant(begin, timeZone, read?.periodBegin ?? null) ?? '',
        ...(periodEnd !== null && { periodEnd }),
        status,
      };
    }),
    images: draft.images.map(imageOf),
  };
}

/** Returns the fields that were changed. A status that only partners set is never among them: it cannot be chosen. */
export const evseChange = (before: EvseDraft, after: EvseDraft, timeZone: string): Change =>
  changedFields(bodyOf(before, timeZone), bodyOf(after, timeZone)) as Change;
