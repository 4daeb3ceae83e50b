import type { Schemas } from '../../api/client.ts';

export type Operator = Schemas['Operator'];

export const roles = ['Owner', 'Admin', 'Manager', 'Viewer'] as const;
export type Role = (typeof roles)[number];
