import { access } from './access/index.ts';
import { charging } from './charging/index.ts';
import { commands } from './commands/index.ts';
import { events } from './events/index.ts';
import { fleet } from './fleet/index.ts';
import { imports } from './imports/index.ts';
import { load } from './load/index.ts';
import { money } from './money/index.ts';
import { openData } from './open-data/index.ts';
import { people } from './people/index.ts';
import { reporting } from './reporting/index.ts';
import { roaming } from './roaming/index.ts';

/** Rooms of the operator API. */
export const operatorRooms = [
  charging,
  fleet,
  commands,
  money,
  people,
  access,
  roaming,
  reporting,
  events,
  imports,
  openData,
  load,
];
