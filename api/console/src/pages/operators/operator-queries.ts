import type { Schemas } from '../../api/client.ts';

export type Operator = Schemas['Operator'];
