import type { AlertWords } from './alert-text.ts';

export const alertWordsNl: AlertWords = {
  language: 'nl',
  kinds: {
    'charger-offline': ['Laadpaal offline', (count) => `${count} laadpalen offline`],
    'location-offline': ['Locatie offline', (count) => `${count} locaties offline`],
    'connection-rejected': [
      'Verbindingen van een laadpaal geweigerd',
      (count) => `Verbindingen van ${count} laadpalen geweigerd`,
    ],
    'password-guessing': [
      'Onjuiste wachtwoorden vertraagd',
      (count) => `Onjuiste wachtwoorden voor ${count} laadpalen vertraagd`,
    ],
    'charger-faulted': ['Laadpaal in storing', (count) => `${count} laadpalen in storing`],
    'connector-faulted': ['Aansluiting in storing', (count) => `${count} aansluitingen in storing`],
    'clock-wrong': ['Klok van een laadpaal onjuist', (count) => `Klokken van ${count} laadpalen onjuist`],
    'starts-refused': [
      'Starts achter elkaar geweigerd',
      (count) => `Starts achter elkaar geweigerd bij ${count} laadpalen`,
    ],
    'session-without-energy': ['Laadsessie zonder energie', (count) => `${count} laadsessies zonder energie`],
    'session-without-tariff': [
      'Laadsessie zonder tarief',
      (count) => `Laadsessies zonder tarief bij ${count} laadpalen`,
    ],
    'session-estimated': [
      'Laadsessie geschat beëindigd',
      (count) => `${count} laadsessies geschat beëindigd`,
    ],
    'session-in-review': ['Laadsessie te controleren', (count) => `${count} laadsessies te controleren`],
    'unmatched-stop': [
      'Einde van een onbekende laadsessie',
      (count) => `Eindes van onbekende laadsessies bij ${count} laadpalen`,
    ],
    'security-event': ['Beveiligingsgebeurtenis', (count) => `${count} beveiligingsgebeurtenissen`],
    'firmware-failed': [
      'Firmware-update mislukt',
      (count) => `Firmware-updates van ${count} laadpalen mislukt`,
    ],
    'gateway-spooling': [
      'Meetwaarden wachten op een gateway',
      (count) => `Meetwaarden wachten op ${count} gateways`,
    ],
    'certificate-expiring': [
      'Certificaat verloopt binnenkort',
      (count) => `${count} certificaten verlopen binnenkort`,
    ],
    'api-key-expiring': [
      'API-sleutel verloopt binnenkort',
      (count) => `${count} API-sleutels verlopen binnenkort`,
    ],
    'partner-unreachable': [
      'Roamingpartner onbereikbaar',
      (count) => `${count} roamingpartners onbereikbaar`,
    ],
    'partner-token-expiring': [
      'Token van een roamingpartner niet vernieuwd',
      (count) => `Tokens van ${count} roamingpartners niet vernieuwd`,
    ],
    'ocpi-party-refused': [
      'Roamingpartij geweigerd',
      (count) => `Partijen van ${count} roamingpartners geweigerd`,
    ],
    'ocpi-object-refused': [
      'Roamingpartner weigert een object',
      (count) => `${count} roamingpartners weigeren objecten`,
    ],
    'payment-currency-mismatch': [
      'Betaling in een andere valuta',
      (count) => `${count} betalingen in een andere valuta`,
    ],
  },
  severities: { critical: 'kritiek', warning: 'waarschuwing' },
  escalated: 'Niet bevestigd',
  cleared: 'Opgelost',
  flapping: 'Instabiel',
  where: 'Locatie:',
  since: 'Sinds:',
  until: 'Tot:',
  affected: (total) => (total > 1 ? `Betreft (${total}):` : 'Betreft:'),
  stillOffline: (count) => `Nog offline: ${count}`,
  andMore: (count) => `en nog ${count}`,
  digest: (count) => `${count} meldingen`,
  more: (count) => `En nog ${count}. De console toont alle meldingen.`,
  open: 'Melding bekijken',
  openAll: 'Alle meldingen bekijken',
  intro: {
    raised: 'Een nieuwe melding vraagt uw aandacht.',
    escalated: 'Deze melding is nog niet bevestigd.',
    cleared: 'Deze melding is opgelost. U hoeft niets te doen.',
    several: 'Er zijn meerdere meldingen gewijzigd.',
  },
  flappingNote:
    'Instabiel: de toestand eindigde en keerde binnen een uur meerdere keren terug. U ontvangt hierover geen e-mails meer totdat de toestand stabiel is.',
  acknowledge: 'Open de console om de details te bekijken en meldingen te bevestigen.',
  reason: (network) => `U ontvangt deze e-mail omdat dit adres meldingen van ${network} ontvangt.`,
  mute: 'Meldingen dempen',
  rule: 'Ontvangers en drempels wijzigen',
};
