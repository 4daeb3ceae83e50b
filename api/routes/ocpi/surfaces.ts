import { surface221 } from './standard/surface.ts';
import type { Surface } from './surface.ts';
import { surface211 } from './v211/surface.ts';
import { surface230 } from './v230/surface.ts';

/** The surfaces that follow their standard exactly. */
export const surfaces: readonly Surface[] = [surface211, surface221, surface230];
