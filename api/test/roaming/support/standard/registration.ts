import { BusinessDetails, party } from './parts.ts';
import type { Shape } from './shape.ts';

/** §7.4 */
export const Credentials: Shape = {
  token: ['1', 64],
  url: ['1', 255],
  roles: [
    '+',
    {
      ...party,
      role: ['1', ['CPO', 'EMSP', 'HUB', 'NAP', 'NSP', 'OTHER', 'SCSP']],
      business_details: ['1', BusinessDetails],
    },
  ],
};

/** §6.2.1 */
export const VersionDetails: Shape = {
  version: ['1', ['2.2', '2.2.1', '2.3.0']],
  endpoints: ['+', { identifier: ['1', 64], role: ['1', ['RECEIVER', 'SENDER']], url: ['1', 255] }],
};
