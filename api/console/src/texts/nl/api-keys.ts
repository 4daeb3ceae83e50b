import type { Texts } from '../texts.ts';

export const apiKeys: Texts['apiKeys'] = {
  title: 'API-sleutels',
  families: 'API’s',
  family: {
    cpms: 'Operator-API',
    cpmsHint:
      'Sleutels van servers die het netwerk beheren. Het auditlog noemt bij elke wijziging de sleutel.',
    emsp: 'Rijders-API',
    emspHint:
      'Sleutels van apps en partners voor rijders. Een publieke sleutel mag in een app of pagina staan.',
  },
  create: 'Sleutel maken',
  empty: 'Er zijn nog geen sleutels.',
  column: {
    name: 'Naam',
    secret: 'Geheim',
    scopes: 'Rechten',
    networks: 'Netwerken',
    limit: 'Limiet',
    lastUsed: 'Laatst gebruikt',
    expires: 'Verloopt',
    createdBy: 'Gemaakt door',
  },
  scopes_one: '{{count}} recht',
  scopes_other: '{{count}} rechten',
  allNetworks: 'Alle netwerken',
  noLimit: 'Geen limiet',
  perHour: '{{number}} / u',
  never: 'Nooit',
  expired: 'Verlopen',
  addresses: 'IP-adressen',
  anyAddress: 'Alle',
  uses: 'Verzoeken',
  created: 'Gemaakt',
  type: {
    label: 'Type',
    Private: 'Privé',
    Publishable: 'Publiek',
    publishableHint:
      'Leesbaar voor iedereen: alleen merk, publieke laadpalen en prijzen, altijd met een limiet.',
  },
  groups: {
    reads: 'Lezen',
    writes: 'Schrijven',
    commands: 'Opdrachten aan laadpalen',
    driver: 'Rijders-API',
  },
  chooseAll: 'Alles kiezen',
  chooseNone: 'Niets kiezen',
  new: {
    cpms: 'Sleutel van de operator-API maken',
    emsp: 'Sleutel van de rijders-API maken',
    done: 'De sleutel is gemaakt',
    stored: 'Ik heb het bewaard',
    description: 'Omschrijving (optioneel)',
    ownNetworks: 'Alle die ik bereik',
    scopesHint: 'Alleen rechten die u zelf heeft, kunt u verlenen.',
    rate: 'Verzoeken per uur (optioneel)',
    addressesHint:
      'Adressen en CIDR-bereiken die de sleutel mogen gebruiken, gescheiden door spaties. Leeg: die van uw eigen sleutel, of alle.',
  },
  revoke: {
    action: 'Sleutel intrekken',
    title: '“{{name}}” intrekken?',
    text: 'De sleutel werkt niet meer vanaf het volgende verzoek. Alle sleutels die hij heeft gemaakt, rechtstreeks of via andere, worden ook ingetrokken. Dit kan niet ongedaan worden gemaakt.',
    descendants_one: 'Deze sleutel wordt ook ingetrokken:',
    descendants_other: 'Deze {{count}} sleutels worden ook ingetrokken:',
    done_one: 'De sleutel is ingetrokken.',
    done_other: '{{count}} sleutels zijn ingetrokken.',
  },
};
