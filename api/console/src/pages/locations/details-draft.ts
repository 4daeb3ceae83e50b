import { facilities, type Facility, parkingTypes } from '#shared/domain/fleet/location.ts';
import { changedFields } from '../../api/changed-fields.ts';
import type { Schemas } from '../../api/client.ts';
import type { Direction } from './direction-fields.tsx';
import { fileTypeOf, type ImageDraft, imageDraftOf, imageOf } from './image-draft.ts';

type Location = Schemas['Location'];
type Business = NonNullable<Location['operator']>;

/** Choice for a location whose kind of parking is not stated. */
const unstated = 'UNSTATED' as const;

/** Kinds of parking. */
export const parkingChoices = [unstated, ...parkingTypes] as const;

/** Companies of a location. */
export const companies = ['operator', 'suboperator', 'owner'] as const;
export type Company = (typeof companies)[number];

/** Company in a form. No entry: no company. */
export interface BusinessDraft {
  name: string;
  website: string;
  /** URL of the logo. */
  logo: string;
  /** Company as it was read. */
  read: Business | null;
}

/** Details of a location for drivers, in a form. */
export interface DetailsDraft extends Record<Company, BusinessDraft> {
  parkingType: (typeof parkingChoices)[number];
  facilities: readonly Facility[];
  directions: readonly Direction[];
  images: readonly ImageDraft[];
}

const companyOf = (read: Business | null): BusinessDraft => ({
  name: read?.name ?? '',
  website: read?.website ?? '',
  logo: read?.logo?.url ?? '',
  read,
});

export function detailsDraftOf(location: Location): DetailsDraft {
  return {
    parkingType: location.parkingType ?? unstated,
    facilities: location.facilities,
    directions: location.directions,
    images: location.images.map(imageDraftOf),
    operator: companyOf(location.operator),
    suboperator: companyOf(location.suboperator),
    owner: companyOf(location.owner),
  };
}

/** Categories of the logos (OCPI). */
const logoCategories = { operator: 'OPERATOR', suboperator: 'OPERATOR', owner: 'OWNER' } as const;

/** Returns a company as requests have it. A logo whose URL is unchanged stays as it was read. */
function businessOf(company: Company, { name, website, logo, read }: BusinessDraft): Business | null {
  const [site, url] = [website.trim(), logo.trim()];
  if (name.trim() === '' && site === '' && url === '') return null;
  return {
    name: name.trim(),
    ...(site !== '' && { website: site }),
    ...(url !== '' && {
      logo:
        url === read?.logo?.url
          ? read.logo
          : { url, category: logoCategories[company], type: fileTypeOf(url) },
    }),
  };
}

/** Returns the details as requests have them. The server refuses what is incomplete, and names the field. */
function bodyOf(draft: DetailsDraft) {
  return {
    parkingType: draft.parkingType === unstated ? null : draft.parkingType,
    facilities: facilities.filter((facility) => draft.facilities.includes(facility)),
    directions: draft.directions.map(({ language, text }) => ({ language, text: text.trim() })),
    images: draft.images.map(imageOf),
    operator: businessOf('operator', draft.operator),
    suboperator: businessOf('suboperator', draft.suboperator),
    owner: businessOf('owner', draft.owner),
  };
}

/** Returns the details that were changed. */
export const detailsChange = (before: DetailsDraft, after: DetailsDraft) =>
  changedFields(bodyOf(before), bodyOf(after));
