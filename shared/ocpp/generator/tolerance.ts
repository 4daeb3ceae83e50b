import { maxInt32 } from '#shared/domain/kernel/integers.ts';
import type { Schema, SchemaSet } from './schema.ts';

/**
 * Factor by which a charger's strings may exceed the standard's length. Real chargers send descriptions, serial
 * numbers and vendor codes that are too long; the message is kept and the handler trims them. The factor only bounds
 * them.
 */
const lengthSlack = 10;

/** Keys of records: cut or stretched they would name something else, so their length stays the standard's. */
const identifiers = new Set([
  'idTag',
  'parentIdTag',
  'idToken',
  'additionalIdToken',
  'transactionId',
  'vatNumber',
]);

/** Lists whose items the answer repeats, in a list that must not be empty. */
const repeatedLists = new Set(['certificateStatusRequests']);

/** Fields of a sampled value that may carry words the standard does not know: kept and flagged, never refused. */
const readingWords = new Set(['context', 'format', 'measurand', 'phase', 'location', 'unit']);
const openWordLength = 500;

/** Fields that state a reason: an unknown value is kept as it was sent. */
const reasonWords = new Set(['triggerReason', 'stoppedReason', 'errorCode']);

/** 1.6's StopTransaction.reason; fields of that name elsewhere are answers to be relied on. */
const isStopReason = (schema: Schema, name: string): boolean =>
  name === 'reason' && schema.enum?.includes('DeAuthorized') === true;

/** Registers in Wh, which some chargers send with decimals though 1.6 wants integers. */
const registers = new Set(['meterStart', 'meterStop']);

/** An integer of OCPP has 32 bits (2.0.1 part 2, primitive datatypes); a larger one counts or names nothing. */

/**
 * Fields that identify a session, which must not be lost for them: an unknown transaction is acknowledged (field note
 * 5), and some chargers send "no reservation" as 4294967295.
 */
const isOpenInteger = (name: string, holder: string): boolean =>
  name === 'transactionId' ||
  (name === 'reservationId' && ['StartTransactionRequest', 'TransactionEventRequest'].includes(holder));

/**
 * Of these a time may be any text: a charger repeats a stop that is refused indefinitely (field note 5). One that cannot be read
 * is when it was heard, and flagged.
 */
const openTimeHolders = new Set([
  'StopTransactionRequest',
  'TransactionEventRequest',
  'meterValue',
  'transactionData',
  'MeterValueType',
]);

/**
 * The schemas as a charger's messages are judged. Compared with the standard:
 * - unknown fields are allowed;
 * - an empty list is allowed wherever a list is (an empty sampledValue is common and harms nothing), unless the answer
 *   repeats its items;
 * - lengths are multiplied by ten, except those of identifiers;
 * - times may be written as {@link parseDateTime} reads them, those of a stop, of a transaction event and of a reading in
 *   any way;
 * - a sampled value may have any measurand, unit, context, phase, location and format, and in 1.6 a number as its value.
 * - the reasons of a stop, of a transaction event and of a fault may be any word;
 * - meterStart and meterStop may have decimals;
 * - integers have 32 bits, which the standard states only in words.
 * Types, required fields, ranges and all other enumerations stay strict.
 */
export function tolerant(set: SchemaSet): SchemaSet {
  return {
    definitions: mapValues(set.definitions, (schema, name) => relaxNamed(schema, name)),
    messages: mapValues(set.messages, (schema, name) => relaxNamed(schema, name)),
  };
}

function relaxNamed(schema: Schema, name: string, holder = ''): Schema {
  if (reasonWords.has(name) || isStopReason(schema, name)) {
    return { type: 'string', maxLength: openWordLength };
  }
  const relaxed = { ...schema };
  if (registers.has(name)) relaxed.type = 'number';
  if (relaxed.type === 'integer' && !isOpenInteger(name, holder)) {
    relaxed.minimum = Math.max(relaxed.minimum ?? -Infinity, -maxInt32 - 1);
    relaxed.maximum = Math.min(relaxed.maximum ?? Infinity, maxInt32);
  }
  delete relaxed.additionalProperties;
  if (!repeatedLists.has(name)) delete relaxed.minItems;
  if (relaxed.maxLength !== undefined && !identifiers.has(name)) relaxed.maxLength *= lengthSlack;
  if (relaxed.format === 'date-time') {
    if (openTimeHolders.has(holder)) delete relaxed.format;
    else relaxed.format = 'lenient-date-time';
  }
  if (relaxed.items !== undefined) relaxed.items = relaxNamed(relaxed.items, name);
  if (relaxed.properties !== undefined) {
    relaxed.properties = mapValues(relaxed.properties, (field, key) => relaxNamed(field, key, name));
    if (isSampledValue(name)) relaxed.properties = mapValues(relaxed.properties, relaxReading);
  }
  return relaxed;
}

/** 1.6 writes the sampled value in place (items of `sampledValue`), 2.0.1 as a named definition. */
function isSampledValue(name: string): boolean {
  return name === 'sampledValue' || name === 'SampledValueType';
}

function relaxReading(schema: Schema, name: string): Schema {
  if (readingWords.has(name)) return { type: 'string', maxLength: openWordLength };
  if (name === 'value' && schema.type === 'string') return { type: ['string', 'number'] };
  return schema;
}

function mapValues(
  schemas: Record<string, Schema>,
  change: (schema: Schema, name: string) => Schema,
): Record<string, Schema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema, name)]));
}
