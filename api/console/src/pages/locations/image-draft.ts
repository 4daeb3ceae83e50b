import type { Schemas } from '../../api/client.ts';
import { optionalNumber, textOf } from '../../texts/numbers.ts';

type Image = Schemas['Location']['images'][number];
type ImageCategory = Image['category'];

/** Image in a form. Numbers are texts, as they are typed. */
export interface ImageDraft {
  url: string;
  thumbnail: string;
  category: ImageCategory;
  type: string;
  width: string;
  height: string;
}

export const newImage = (): ImageDraft => ({
  url: '',
  thumbnail: '',
  category: 'LOCATION',
  type: '',
  width: '',
  height: '',
});

export const imageDraftOf = ({ url, thumbnail, category, type, width, height }: Image): ImageDraft => ({
  url,
  thumbnail: thumbnail ?? '',
  category,
  type,
  width: textOf(width ?? null),
  height: textOf(height ?? null),
});

/** Returns an image as requests have it. */
export const imageOf = ({ url, thumbnail, category, type, width, height }: ImageDraft): Image => ({
  url: url.trim(),
  ...(thumbnail.trim() !== '' && { thumbnail: thumbnail.trim() }),
  category,
  type: type.trim(),
  ...optionalNumber('width', width),
  ...optionalNumber('height', height),
});

/** Returns the file type at the end of a URL; empty when OCPI has no name for it. */
export const fileTypeOf = (url: string): string =>
  /\.([a-z0-9]{1,4})$/i.exec(url.trim().replace(/[?#].*$/, ''))?.[1]?.toLowerCase() ?? '';
