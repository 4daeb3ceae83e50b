import { Type } from 'typebox';
import { signedFormats, signedNatures, valueStates } from '#shared/domain/charging/signed-meter-value.ts';
import { idTokenTypes, sessionStatuses } from '#shared/domain/charging/session.ts';
import { remoteStartStatuses } from '#shared/domain/charging/remote-start.ts';
import { reservationStatuses } from '#shared/domain/charging/reservation.ts';
import { scheduledChargeStatuses } from '#shared/domain/charging/scheduled-charge.ts';
import { tokenNames } from './id-token-view.ts';
import { DateTime, Decimal, Described, Flag, Integer, Named, Nullable, OneOf, Str, Uuid } from './schema.ts';
import { times, userFields } from './user-view.ts';

const Minor = (what: string, example: number) => Integer(`${what}, in minor units of the currency.`, example);
const currency = Str('Currency (ISO 4217).', 'EUR');
const walletId = Uuid('Wallet identifier.');
const charger = {
  chargerId: Uuid('Charger identifier.'),
  chargePointId: Str('OCPP identity of the charger.', 'QUAY-1'),
};
const tokenUid = Str('Uid of the token.', '04A1B2C3D4E5F6');
const createdAt = DateTime('Time of creation.');
const list = <Fields extends Parameters<typeof Named>[1]>(
  title: string,
  description: string,
  fields: Fields,
) => Type.Array(Named(title, fields), { description });

/** All data of one driver, as an export has it. */
export const DriverData = Described(
  Named('DriverData', {
    exportedAt: DateTime('Time at which the export began.'),
    driver: Named('ExportedDriver', {
      id: Uuid('Driver identifier.'),
      networkId: Uuid('Network identifier.'),
      ...userFields,
      ...times,
    }),
    tokens: list('ExportedToken', 'Tokens, invalidated ones included.', {
      id: Uuid('Token identifier.'),
      ...tokenNames,
      type: OneOf(idTokenTypes, 'Kind of the token.'),
      isValid: Flag('False when the token is blocked or invalidated.'),
      visualNumber: Nullable(Str('Number printed on the card. Null if not set.', '0042 7711')),
      issuer: Nullable(Str('Issuer of the token. Null when unknown.', 'Harbour Charging')),
      contractId: Nullable(Str('Contract identifier (eMAID). Null if not set.', 'NL-HRB-C00000042-X')),
      groupId: Nullable(Str('Group of the token. Null if not set.', 'FLEET-7')),
      expiresAt: Nullable(DateTime('Time from which the token is rejected. Null: no expiry.')),
      createdAt,
      deletedAt: Nullable(DateTime('Time at which the token was invalidated for good. Null: it was not.')),
    }),
    sessions: list('ExportedSession', 'Sessions, running ones included.', {
      id: Uuid('Session identifier.'),
      status: OneOf(sessionStatuses, 'Status of the session.'),
      ...charger,
      locationName: Nullable(Str('Name of the location. Null when the charger has none.', 'Harbour')),
      address: Nullable(Str('Street and number of the location. Null when the charger has none.', 'Quay 1')),
      city: Nullable(Str('City of the location. Null when the charger has none.', 'Rotterdam')),
      connectorNumber: Integer('Connector number, starting at 1.', 1),
      tokenUid: Nullable(
        Str('Uid of the token that started the session. Null when unknown.', '04A1B2C3D4E5F6'),
      ),
      startedAt: DateTime("Start, by the charger's clock."),
      endedAt: Nullable(DateTime("End, by the charger's clock. Null while the session is running.")),
      energyWh: Decimal('Energy in Wh.', 12500),
      currency,
      costMinor: Nullable(
        Minor('Price with VAT; null while the session is running or without a tariff', 605),
      ),
      priceState: Str('State of the price: `SETTLED` when it is final.', 'SETTLED'),
      invoiceNumber: Nullable(Str('Number of the invoice. Null if not set.', '2026-000001')),
    }),
    signedMeterValues: list('ExportedSignedMeterValue', 'Signed meter values of the sessions.', {
      sessionId: Uuid('Session identifier.'),
      nature: OneOf(signedNatures, 'Point of the session that the value belongs to.'),
      measuredAt: DateTime("Time of the value, by the charger's clock."),
      format: OneOf(signedFormats, 'Format of the data.'),
      data: Str('Signed data as the charger sent it.', 'OCMF|{"FV":"1.0"}|{"SD":"3045"}'),
      state: OneOf(valueStates, 'Result of the check with the registered keys.'),
    }),
    walletMovements: list('ExportedWalletMovement', 'Movements of the wallets, oldest first.', {
      id: Uuid('Movement identifier.'),
      walletId,
      cause: Str('Cause: `TOP_UP`, `REFUND`, `CREDIT`, `DEBIT`, `HOLD`, `RELEASE` or `SESSION`.', 'SESSION'),
      sessionId: Nullable(Uuid('Session of the movement. Null if it has no session.')),
      reason: Nullable(Str('Reason given by an operator. Null if none was given.', 'Paid at the desk')),
      currency,
      availableAfterMinor: Minor('Available amount after the movement', 2500),
      heldAfterMinor: Minor('Amount held for sessions after the movement', 0),
      owedAfterMinor: Minor('Amount owed by the driver after the movement', 0),
      createdAt,
    }),
    payments: list('ExportedPayment', 'Payments into the wallets.', {
      id: Uuid('Payment identifier.'),
      walletId,
      status: Str('Status: `PENDING`, `PAID` or `CANCELLED`.', 'PAID'),
      provider: Str('Payment provider.', 'stripe'),
      providerReference: Nullable(
        Str('Identifier of the payment at the provider. Null when unknown.', 'cs_test_a1b2c3'),
      ),
      currency,
      amountMinor: Minor('Amount', 2500),
      refundedMinor: Minor('Refunded amount', 0),
      createdAt,
    }),
    invoices: list('ExportedInvoice', 'Invoices and credit notes.', {
      number: Str('Number of the document.', '2026-000001'),
      kind: OneOf(['INVOICE', 'CREDIT_NOTE'], 'Kind of the document.'),
      issuedAt: DateTime('Time of issue.'),
      currency,
      totalExclVatMinor: Minor('Total without VAT, negative for credit notes', 500),
      totalVatMinor: Minor('VAT, negative for credit notes', 105),
      totalInclVatMinor: Minor('Total with VAT, negative for credit notes', 605),
      sessionCount: Integer('Number of sessions.', 1),
    }),
    reservations: list('ExportedReservation', 'Reservations with the tokens of the driver.', {
      id: Uuid('Reservation identifier.'),
      ...charger,
      tokenUid,
      status: OneOf(reservationStatuses, 'Status of the reservation.'),
      statusAt: DateTime('Time of the latest change of the status.'),
      expiresAt: DateTime('Time the reservation ends.'),
      createdAt,
    }),
    chargingStarts: list(
      'ExportedChargingStart',
      'Sessions that were requested from an app or by an operator.',
      {
        id: Uuid('Remote start identifier.'),
        ...charger,
        tokenUid,
        status: OneOf(remoteStartStatuses, 'Status of the start.'),
        sessionId: Nullable(Uuid('Session that began. Null when none did.')),
        requestedAt: DateTime('Time of the request.'),
        expiresAt: DateTime('Time until which a session could begin.'),
      },
    ),
    scheduledCharges: list('ExportedScheduledCharge', 'Sessions that were scheduled.', {
      id: Uuid('Scheduled session identifier.'),
      ...charger,
      status: OneOf(scheduledChargeStatuses, 'Status of the scheduled session.'),
      startAt: DateTime('Time at which the session starts.'),
      windowEndsAt: DateTime('Time until which the start is tried.'),
      createdAt,
      endedAt: Nullable(DateTime('Time at which it started, failed or was cancelled. Null: none of these.')),
    }),
    apiKeys: list('ExportedDriverKey', 'API keys of the driver, without their secrets.', {
      id: Uuid('API key identifier.'),
      name: Nullable(Str('Name of the key. Null when it has none.', 'Telephone')),
      description: Nullable(Str('Description of the key. Null when it has none.', 'Key of the app')),
      createdAt,
      lastUsedAt: Nullable(DateTime('Time of the latest request. Null before the first one.')),
      expiresAt: Nullable(DateTime('Time from which the key is rejected. Null: no expiry.')),
      revokedAt: Nullable(DateTime('Time at which the key was revoked. Null: it was not.')),
    }),
    signIns: list('ExportedSignIn', 'Sessions of the account that have not been removed yet.', {
      ipAddress: Nullable(Str('IP address of the sign-in. Null when unknown.', '203.0.113.7')),
      createdAt: DateTime('Time of the sign-in.'),
      expiresAt: DateTime('Time at which the session of the account ends.'),
      revokedAt: Nullable(DateTime('Time at which it was ended before. Null: it was not.')),
    }),
    auditEntries: list('ExportedAuditEntry', 'Entries of the audit log by the driver and about the driver.', {
      category: Str('Kind of the resource.', 'user'),
      action: Str('Action.', 'update'),
      resourceId: Nullable(Str('Identifier of the resource.', '123e4567-e89b-42d3-a456-426614174000')),
      description: Str(
        'Sentence that describes the action.',
        'user 123e4567-e89b-42d3-a456-426614174000: update',
      ),
      ipAddress: Nullable(Str('IP address of the driver. Null for acts of others.', '203.0.113.7')),
      at: DateTime('Time of the action.'),
    }),
  }),
  'All data of the driver.',
);

/** Headers of the file of an export. */
export const driverDataHeaders = (uuid: string) => ({
  'content-type': 'application/json; charset=utf-8',
  'content-disposition': `attachment; filename="driver-${uuid}.json"`,
  'cache-control': 'no-store',
});
