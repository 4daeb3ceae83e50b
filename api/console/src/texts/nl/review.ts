import type { Texts } from '../texts.ts';

export const review: Texts['review'] = {
  title: 'Te controleren prijzen',
  intro:
    'Prijzen die door waarden van een laadpaal twijfelachtig zijn. Er wordt niets afgeschreven voor een beslissing.',
  list: 'Te controleren laadsessies',
  waiting_one: '{{count}} laadsessie wacht, {{amount}}',
  waiting_other: '{{count}} laadsessies wachten, {{amount}}',
  keys: 'j en k verplaatsen, a keurt goed, e corrigeert, o opent de laadsessie',
  empty: 'Er wacht niets. Elke prijs is verrekend.',
  open: 'Laadsessie openen',
  reason: {
    'energy-implausible': 'Energie',
    'duration-implausible': 'Duur',
    'energy-unmeasured': 'Niet gemeten',
    'energy-from-power': 'Uit vermogen',
    'energy-estimated': 'Geschat',
    'energy-values-set-aside': 'Onleesbare waarden',
    'register-differs': 'Meterstand wijkt af',
    'signature-invalid': 'Handtekening',
    'partner-statement': 'Partner',
    'time-missing': 'Geen tijd',
    'time-unreadable': 'Onleesbare tijd',
    'time-past': 'Klok loopt achter',
    'time-future': 'Klok loopt voor',
  },
  column: {
    ended: 'Einde',
    charger: 'Laadpaal',
    reasons: 'Redenen',
    energy: 'Gemeld',
    plausible: 'Aannemelijk',
    price: 'Prijs',
  },
  times: '{{factor}} × het aannemelijke maximum',
  register: 'Meterstand',
};
