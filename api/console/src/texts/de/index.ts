import type { Texts } from '../texts.ts';
import { charger } from './charger.ts';
import { chargerHistory } from './charger-history.ts';
import { chargers } from './chargers.ts';
import { common } from './common.ts';
import { signIn } from './sign-in.ts';

export const de: Texts = { charger, chargerHistory, chargers, common, signIn };
