import type { AlertWords } from './alert-text.ts';

export const alertWordsDe: AlertWords = {
  language: 'de',
  kinds: {
    'charger-offline': ['Ladestation offline', (count) => `${count} Ladestationen offline`],
    'location-offline': ['Standort offline', (count) => `${count} Standorte offline`],
    'connection-rejected': [
      'Verbindungen einer Ladestation abgewiesen',
      (count) => `Verbindungen von ${count} Ladestationen abgewiesen`,
    ],
    'password-guessing': [
      'Falsche Passwörter gebremst',
      (count) => `Falsche Passwörter für ${count} Ladestationen gebremst`,
    ],
    'charger-faulted': ['Ladestation gestört', (count) => `${count} Ladestationen gestört`],
    'connector-faulted': ['Anschluss gestört', (count) => `${count} Anschlüsse gestört`],
    'clock-wrong': ['Uhr einer Ladestation falsch', (count) => `Uhren von ${count} Ladestationen falsch`],
    'starts-refused': [
      'Starts mehrfach abgelehnt',
      (count) => `Starts an ${count} Ladestationen mehrfach abgelehnt`,
    ],
    'session-without-energy': ['Ladevorgang ohne Energie', (count) => `${count} Ladevorgänge ohne Energie`],
    'session-without-tariff': [
      'Ladevorgang ohne Tarif',
      (count) => `Ladevorgänge ohne Tarif an ${count} Ladestationen`,
    ],
    'session-estimated': [
      'Ladevorgang geschätzt beendet',
      (count) => `${count} Ladevorgänge geschätzt beendet`,
    ],
    'session-in-review': ['Ladevorgang zu prüfen', (count) => `${count} Ladevorgänge zu prüfen`],
    'unmatched-stop': [
      'Ende eines unbekannten Ladevorgangs',
      (count) => `Enden unbekannter Ladevorgänge an ${count} Ladestationen`,
    ],
    'security-event': ['Sicherheitsereignis', (count) => `${count} Sicherheitsereignisse`],
    'firmware-failed': [
      'Firmware-Update fehlgeschlagen',
      (count) => `Firmware-Updates von ${count} Ladestationen fehlgeschlagen`,
    ],
    'gateway-spooling': [
      'Messwerte warten auf einem Gateway',
      (count) => `Messwerte warten auf ${count} Gateways`,
    ],
    'certificate-expiring': ['Zertifikat läuft bald ab', (count) => `${count} Zertifikate laufen bald ab`],
    'api-key-expiring': ['API-Schlüssel läuft bald ab', (count) => `${count} API-Schlüssel laufen bald ab`],
    'partner-unreachable': [
      'Roaming-Partner nicht erreichbar',
      (count) => `${count} Roaming-Partner nicht erreichbar`,
    ],
    'partner-token-expiring': [
      'Token eines Roaming-Partners nicht erneuert',
      (count) => `Tokens von ${count} Roaming-Partnern nicht erneuert`,
    ],
    'ocpi-party-refused': [
      'Roaming-Partei abgelehnt',
      (count) => `Parteien von ${count} Roaming-Partnern abgelehnt`,
    ],
    'ocpi-object-refused': [
      'Roaming-Partner lehnt ein Objekt ab',
      (count) => `${count} Roaming-Partner lehnen Objekte ab`,
    ],
    'payment-currency-mismatch': [
      'Zahlung in anderer Währung',
      (count) => `${count} Zahlungen in anderer Währung`,
    ],
  },
  severities: { critical: 'kritisch', warning: 'Warnung' },
  escalated: 'Nicht bestätigt',
  cleared: 'Behoben',
  flapping: 'Instabil',
  where: 'Standort:',
  since: 'Seit:',
  until: 'Bis:',
  affected: (total) => (total > 1 ? `Betroffen (${total}):` : 'Betroffen:'),
  stillOffline: (count) => `Noch offline: ${count}`,
  andMore: (count) => `und ${count} weitere`,
  digest: (count) => `${count} Meldungen`,
  more: (count) => `Und ${count} weitere. Die Konsole zeigt alle Alarme.`,
  open: 'Alarm ansehen',
  openAll: 'Alle Alarme ansehen',
  intro: {
    raised: 'Ein neuer Alarm erfordert Ihre Aufmerksamkeit.',
    escalated: 'Dieser Alarm wurde noch nicht bestätigt.',
    cleared: 'Dieser Alarm ist behoben. Sie müssen nichts tun.',
    several: 'Mehrere Alarme haben sich geändert.',
  },
  flappingNote:
    'Instabil: Der Zustand endete und kehrte innerhalb einer Stunde mehrmals zurück. Bis er stabil ist, erhalten Sie dazu keine weiteren E-Mails.',
  acknowledge: 'In der Konsole können Sie die Einzelheiten ansehen und Alarme bestätigen.',
  reason: (network) => `Sie erhalten diese E-Mail, weil diese Adresse Alarme von ${network} empfängt.`,
  mute: 'Alarme stummschalten',
  rule: 'Empfänger und Schwellenwerte ändern',
};
