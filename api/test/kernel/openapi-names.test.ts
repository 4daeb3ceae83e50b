import t from 'tap';
import { startTestApi } from '#api/test/support/fixtures.ts';
import { operationsOf, readDocument } from '#api/test/support/openapi-document.ts';

const api = await startTestApi(t);
const document = await readDocument(api);
const operations = operationsOf(document);
const schemas = document['components']?.['schemas'] ?? {};

interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.replace('#/components/schemas/', '');
}

void t.test('a schema has the name of its resource', (t) => {
  for (const [resource, fields] of Object.entries({
    Session: ['id', 'chargerId', 'energyKwh', 'cost'],
    SessionSummary: ['id', 'chargerId', 'energyKwh', 'cost'],
    OperatorSession: ['id', 'chargerId', 'flags'],
    Charger: ['id', 'uid', 'connectors'],
    ChargerSummary: ['id', 'uid', 'locationName'],
    PublicCharger: ['id', 'connectors'],
    Connector: ['id', 'chargerId'],
    Evse: ['evseId'],
    Location: ['id', 'coordinates'],
    Tariff: ['id', 'elements'],
    TariffAssignment: ['id', 'level'],
    Wallet: ['id', 'balance'],
    WalletMovement: ['id', 'change'],
    Invoice: ['invoiceNumber', 'lineItems'],
    InvoiceSummary: ['invoiceNumber'],
    Transaction: ['id', 'cost'],
    User: ['id', 'statistics'],
    Driver: ['id', 'email'],
    Token: ['id', 'tokenType'],
    IdToken: ['id', 'tokenType'],
    Network: ['id', 'slug'],
    Operator: ['id', 'role'],
    ApiKey: ['id', 'last4'],
    FirmwareImage: ['id', 'fileUrl'],
    ChargerModel: ['id', 'modelName'],
    Manufacturer: ['id', 'name'],
    Reservation: ['id', 'expiresAt'],
    Alert: ['id', 'kind'],
    OcpiPartner: ['id', 'endpoints'],
    OcpiLocation: ['countryCode', 'evses'],
    OcpiSession: ['country_code', 'kwh'],
    OcpiCdr: ['country_code', 'total_cost'],
    OcpiTariff: ['country_code', 'elements'],
    OcpiToken: ['country_code', 'uid'],
    OcpiCredentials: ['token', 'roles'],
    Ocpi221Location: ['country_code', 'evses'],
    Ocpi221Session: ['country_code', 'kwh'],
  })) {
    const known = Object.keys(schemas[resource]?.['properties'] ?? {});
    t.same(
      fields.filter((field) => !known.includes(field)),
      [],
      `${resource} of ${known.join(', ')}`,
    );
  }
  t.end();
});

void t.test('a request body has the name that the specification gives it', (t) => {
  const bodies = Object.fromEntries(
    operations.map(({ operation }) => {
      const schema = operation['requestBody']?.['content']?.['application/json']?.['schema'];
      return [operation['operationId'] as unknown as string, schema && nameOf(schema)];
    }),
  );
  for (const [operationId, name] of Object.entries({
    startCharging: 'StartSessionRequest',
    stopCharging: 'StopSessionRequest',
    scheduleCharging: 'ScheduleChargeRequest',
    createUser: 'CreateUserRequest',
    updateUser: 'UpdateUserRequest',
    createToken: 'CreateTokenRequest',
    registerDriver: 'DriverRegisterRequest',
    logInDriver: 'DriverLoginRequest',
    renewDriverSession: 'DriverRefreshRequest',
    forgotDriverPassword: 'DriverForgotPasswordRequest',
    resetDriverPassword: 'DriverResetPasswordRequest',
    generateInvoice: 'GenerateInvoiceRequest',
    calculatePrice: 'PricingCalculationRequest',
    createCharger: 'CreateChargerRequest',
    rebootCharger: 'RebootChargerRequest',
  })) {
    t.equal(bodies[operationId], name);
  }
  t.end();
});

void t.test('every body and every record refers to a schema by its name', (t) => {
  const inline: string[] = [];
  let seen = 0;
  const check = (schema: Schema | undefined, where: string) => {
    if (schema === undefined) return;
    seen += 1;
    const record = schema.items ?? schema;
    if (record.properties !== undefined) inline.push(where);
  };
  for (const { operation } of operations) {
    const id = operation['operationId'] as unknown as string;
    check(operation['requestBody']?.['content']?.['application/json']?.['schema'], `${id} body`);
    for (const [status, response] of Object.entries(operation['responses'] ?? {})) {
      if (!status.startsWith('2')) continue;
      const schema = response['content']?.['application/json']?.['schema'] as Schema | undefined;
      check(schema?.properties?.['data'] ?? schema, `${id} ${status}`);
    }
  }
  t.same(inline, []);
  t.ok(seen > 300, `${seen} schemas`);
  t.end();
});

void t.test('a list names its records inside its envelope', (t) => {
  const schema = document['paths']?.['/cpms/v1/chargers']?.['get']?.['responses']?.['200']?.['content']?.[
    'application/json'
  ]?.['schema'] as Schema;
  t.match(schema.properties, {
    data: { type: 'array', items: { $ref: '#/components/schemas/ChargerSummary' } },
    pagination: { $ref: '#/components/schemas/Pagination' },
    success: { type: 'boolean' },
  });
  t.end();
});
