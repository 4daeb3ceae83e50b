import type { Texts } from '../texts.ts';

export const chargerForm: Texts['chargerForm'] = {
  location: 'Locatie',
  noLocation: 'Geen',
  model: 'Model',
  noModel: 'Onbekend',
  edit: {
    open: 'Bewerken…',
    title: '{{charger}} bewerken',
    reference: 'Tekst op de laadpaal',
    floor: 'Verdieping',
    isPublic: 'Zichtbaar voor bestuurders, op een gepubliceerde locatie',
    profile: 'Beveiligingsprofiel',
    profileHint: 'Geldt vanaf de volgende verbinding',
    profiles: {
      none: '0: geen',
      password: '1: wachtwoord over ws',
      tls: '2: wachtwoord over wss',
      certificate: '3: clientcertificaat over wss',
    },
    commonName: 'Common name van het certificaat',
    commonNameHint: 'Leeg: de OCPP-identiteit',
    done: '{{charger}} is gewijzigd.',
  },
  remove: {
    open: 'Buiten gebruik stellen…',
    title: '{{charger}} buiten gebruik stellen?',
    text: 'De verbinding wordt gesloten en nieuwe worden geweigerd. De connectoren en tarieftoewijzingen eindigen. Sessies blijven.',
    action: 'Buiten gebruik stellen',
    done: '{{charger}} is buiten gebruik gesteld.',
  },
};
