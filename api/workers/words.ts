import type { Bill } from '#api/services/bills.ts';
import type { CostLine } from '#shared/pricing/cost.ts';

/** The words of a bill in one language. */
export interface Words {
  kinds: Record<Bill['kind'], string>;
  lines: Record<CostLine['type'], string>;
  number: string;
  session: string;
  date: string;
  credits: string;
  reason: string;
  billedTo: string;
  vatNumber: string;
  location: string;
  charger: string;
  connector: string;
  token: string;
  started: string;
  ended: string;
  duration: string;
  energy: string;
  description: string;
  quantity: string;
  unitPrice: string;
  vat: string;
  noVat: string;
  /** Between a rate of VAT and the amount that it is of. */
  on: string;
  amount: string;
  subtotal: string;
  total: string;
  estimatedSpread: string;
  currentNotMeasured: string;
}

const en: Words = {
  kinds: { RECEIPT: 'Receipt', INVOICE: 'Invoice', CREDIT_NOTE: 'Credit note' },
  lines: {
    ENERGY: 'Energy',
    TIME: 'Charging time',
    PARKING_TIME: 'Parking time',
    FLAT: 'Session fee',
    IDLE: 'Idle fee',
    MIN_PRICE: 'Supplement to the minimum price',
    MAX_PRICE: 'Reduction to the maximum price',
    AMENDED: 'Price as corrected',
  },
  number: 'Number',
  session: 'Session',
  date: 'Date',
  credits: 'Credits invoice',
  reason: 'Reason',
  billedTo: 'Billed to',
  vatNumber: 'VAT number',
  location: 'Location',
  charger: 'Charger',
  connector: 'Connector',
  token: 'Token',
  started: 'Started',
  ended: 'Ended',
  duration: 'Duration',
  energy: 'Energy',
  description: 'Description',
  quantity: 'Quantity',
  unitPrice: 'Unit price',
  vat: 'VAT',
  noVat: 'No VAT',
  on: 'on',
  amount: 'Excl. VAT',
  subtotal: 'Subtotal excl. VAT',
  total: 'Total incl. VAT',
  estimatedSpread: 'For want of readings, energy was taken to have flowed evenly.',
  currentNotMeasured: 'Prices by current were not applied: it was not measured.',
};

const nl: Words = {
  kinds: { RECEIPT: 'Bon', INVOICE: 'Factuur', CREDIT_NOTE: 'Creditnota' },
  lines: {
    ENERGY: 'Energie',
    TIME: 'Laadtijd',
    PARKING_TIME: 'Parkeertijd',
    FLAT: 'Starttarief',
    IDLE: 'Blokkeertarief',
    MIN_PRICE: 'Tot aan de minimumprijs',
    MAX_PRICE: 'Terug naar de maximumprijs',
    AMENDED: 'Gecorrigeerde prijs',
  },
  number: 'Nummer',
  session: 'Sessie',
  date: 'Datum',
  credits: 'Crediteert factuur',
  reason: 'Reden',
  billedTo: 'Factuur aan',
  vatNumber: 'Btw-nummer',
  location: 'Locatie',
  charger: 'Laadpaal',
  connector: 'Aansluiting',
  token: 'Laadpas',
  started: 'Begin',
  ended: 'Einde',
  duration: 'Duur',
  energy: 'Energie',
  description: 'Omschrijving',
  quantity: 'Aantal',
  unitPrice: 'Prijs',
  vat: 'Btw',
  noVat: 'Geen btw',
  on: 'over',
  amount: 'Excl. btw',
  subtotal: 'Subtotaal excl. btw',
  total: 'Totaal incl. btw',
  estimatedSpread: 'Bij gebrek aan meterstanden is gerekend met een gelijkmatige energiestroom.',
  currentNotMeasured: 'Prijzen naar stroomsterkte zijn niet toegepast: die is niet gemeten.',
};

const de: Words = {
  kinds: { RECEIPT: 'Beleg', INVOICE: 'Rechnung', CREDIT_NOTE: 'Stornorechnung' },
  lines: {
    ENERGY: 'Energie',
    TIME: 'Ladezeit',
    PARKING_TIME: 'Parkzeit',
    FLAT: 'Startgebühr',
    IDLE: 'Blockiergebühr',
    MIN_PRICE: 'Bis zum Mindestpreis',
    MAX_PRICE: 'Minderung auf den Höchstpreis',
    AMENDED: 'Korrigierter Preis',
  },
  number: 'Nummer',
  session: 'Ladevorgang',
  date: 'Datum',
  credits: 'Storniert Rechnung',
  reason: 'Grund',
  billedTo: 'Rechnung an',
  vatNumber: 'USt-IdNr.',
  location: 'Standort',
  charger: 'Ladestation',
  connector: 'Ladepunkt',
  token: 'Ladekarte',
  started: 'Beginn',
  ended: 'Ende',
  duration: 'Dauer',
  energy: 'Energie',
  description: 'Beschreibung',
  quantity: 'Menge',
  unitPrice: 'Einzelpreis',
  vat: 'USt.',
  noVat: 'Ohne USt.',
  on: 'auf',
  amount: 'Netto',
  subtotal: 'Zwischensumme netto',
  total: 'Gesamtbetrag brutto',
  estimatedSpread: 'Mangels Messwerten wurde ein gleichmäßiger Energiefluss angenommen.',
  currentNotMeasured: 'Preise nach Stromstärke wurden nicht angewandt: sie wurde nicht gemessen.',
};

const fr: Words = {
  kinds: { RECEIPT: 'Reçu', INVOICE: 'Facture', CREDIT_NOTE: 'Avoir' },
  lines: {
    ENERGY: 'Énergie',
    TIME: 'Temps de charge',
    PARKING_TIME: 'Stationnement',
    FLAT: 'Frais de session',
    IDLE: 'Frais d’occupation',
    MIN_PRICE: 'Complément au prix minimum',
    MAX_PRICE: 'Réduction au prix maximum',
    AMENDED: 'Prix corrigé',
  },
  number: 'Numéro',
  session: 'Session',
  date: 'Date',
  credits: 'Annule la facture',
  reason: 'Motif',
  billedTo: 'Facturé à',
  vatNumber: 'N° de TVA',
  location: 'Lieu',
  charger: 'Borne',
  connector: 'Point de charge',
  token: 'Badge',
  started: 'Début',
  ended: 'Fin',
  duration: 'Durée',
  energy: 'Énergie',
  description: 'Désignation',
  quantity: 'Quantité',
  unitPrice: 'Prix unitaire',
  vat: 'TVA',
  noVat: 'Sans TVA',
  on: 'sur',
  amount: 'Montant HT',
  subtotal: 'Sous-total HT',
  total: 'Total TTC',
  estimatedSpread: 'Faute de relevés, l’énergie est supposée avoir été fournie régulièrement.',
  currentNotMeasured: 'Les prix selon le courant n’ont pas été appliqués : il n’a pas été mesuré.',
};

const es: Words = {
  kinds: { RECEIPT: 'Recibo', INVOICE: 'Factura', CREDIT_NOTE: 'Factura rectificativa' },
  lines: {
    ENERGY: 'Energía',
    TIME: 'Tiempo de carga',
    PARKING_TIME: 'Estacionamiento',
    FLAT: 'Tarifa por sesión',
    IDLE: 'Cargo por ocupación',
    MIN_PRICE: 'Hasta el precio mínimo',
    MAX_PRICE: 'Reducción al precio máximo',
    AMENDED: 'Precio corregido',
  },
  number: 'Número',
  session: 'Sesión',
  date: 'Fecha',
  credits: 'Rectifica la factura',
  reason: 'Motivo',
  billedTo: 'Facturado a',
  vatNumber: 'NIF/IVA',
  location: 'Ubicación',
  charger: 'Cargador',
  connector: 'Conector',
  token: 'Tarjeta',
  started: 'Inicio',
  ended: 'Fin',
  duration: 'Duración',
  energy: 'Energía',
  description: 'Descripción',
  quantity: 'Cantidad',
  unitPrice: 'Precio unitario',
  vat: 'IVA',
  noVat: 'Sin IVA',
  on: 'sobre',
  amount: 'Sin IVA',
  subtotal: 'Subtotal sin IVA',
  total: 'Total con IVA',
  estimatedSpread: 'A falta de lecturas, se supuso un flujo de energía constante.',
  currentNotMeasured: 'No se aplicaron precios por corriente: no se midió.',
};

const catalogs: ReadonlyMap<string, Words> = new Map(Object.entries({ en, nl, de, fr, es }));

/** The language that a bill is written in, numbers and dates too: the one that is wanted (BCP 47) where we have its words. */
export function writtenIn(wanted: string): string {
  return catalogs.has(catalogOf(wanted)) ? wanted : 'en';
}

/** The words of a language that bills are written in. */
export function wordsOf(language: string): Words {
  return catalogs.get(catalogOf(language)) ?? en;
}

function catalogOf(language: string): string {
  return language.split('-')[0] ?? '';
}
