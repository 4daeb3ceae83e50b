import { charging } from './charging/index.ts';
import { commands } from './commands/index.ts';
import { fleet } from './fleet/index.ts';
import { money } from './money/index.ts';
import { openData } from './open-data/index.ts';
import { people } from './people/index.ts';
import { reporting } from './reporting/index.ts';

/** Rooms of the public API, for drivers and operators. */
export const publicRooms = [charging, fleet, commands, money, people, reporting, openData];
