import { imageCategories } from '#shared/domain/fleet/location.ts';
import type { Shape } from './shape.ts';

/** Parts that many objects of OCPI 2.2.1 share. */

/** §16.1 */
export const DisplayText: Shape = { language: ['1', 2], text: ['1', 512] };

/** §8.4.15 */
export const Image: Shape = {
  url: ['1', 255],
  thumbnail: ['?', 255],
  category: ['1', imageCategories],
  type: ['1', 4],
  width: ['?', 'integer'],
  height: ['?', 'integer'],
};

/** §8.4.2 */
export const BusinessDetails: Shape = { name: ['1', 100], website: ['?', 255], logo: ['?', Image] };

/** §8.4.13 */
export const GeoLocation: Shape = {
  latitude: ['1', /^-?\d{1,2}\.\d{5,7}$/],
  longitude: ['1', /^-?\d{1,3}\.\d{5,7}$/],
};

/** §17.5 */
export const Price: Shape = { excl_vat: ['1', 'number'], incl_vat: ['?', 'number'] };

export const party: Shape = { country_code: ['1', 2], party_id: ['1', 3] };

/** §12.4.4 */
export const tokenTypes = ['AD_HOC_USER', 'APP_USER', 'OTHER', 'RFID'];
