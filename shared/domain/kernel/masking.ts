/** Replacement of a secret. */
const masked = '***';

/**
 * Returns whether a name is that of a secret: a configuration key (`AuthorizationKey` of OCPP 1.6, vendors'
 * Wi-Fi and FTP passwords), a variable (`BasicAuthPassword` of 2.0.1) or a field (`apnPassword`, `simPin`).
 */
function isSecretName(name: string): boolean {
  return secretName.test(name);
}

const secretName =
  /authori[sz]ation[-_ ]?key|passw(?:or)?d|passphrase|passcode|secret|psk$|private[-_ ]?key|sim[-_ ]?pin|(?:api|auth|wifi|wlan|security|encryption)[-_ ]?key|(?:access|auth|bearer)[-_ ]?token|credential/i;

// Every search below takes a time in proportion to the text, however it is made: runs that may stand before what is
// looked for are bounded, since a charger that sends a long run must not keep the others of its shard waiting.

/** A text without any of this holds no secret: the quick look (half a microsecond) that all but few frames end with. */
const hint = /pass|pwd|secret|psk|key|pin|token|cred|@|sig|auth/i;

/** A text that matches none of this holds no secret. */
const suspicious =
  /authori[sz]ation[-_ ]?key|passw|passphrase|passcode|secret|psk|private[-_ ]?key|sim[-_ ]?pin|(?:api|auth|wifi|wlan|security|encryption)[-_ ]?key|(?:access|auth|bearer)[-_ ]?token|credential|"vpn|:\\?\/\\?\/[^"/\s]*@|[?&][^=&\s"?]{0,64}(?:sig|signature|token|key|pass|pwd|auth)=/i;

function mayHoldSecret(text: string): boolean {
  return hint.test(text) && suspicious.test(text);
}

/** Replaces secrets in a JSON text; other text is searched as plain text. */
export function maskText(text: string): string {
  if (!mayHoldSecret(text)) return text;
  try {
    return JSON.stringify(maskValue(JSON.parse(text)));
  } catch {
    return maskPlain(text);
  }
}

/** Returns a copy of a payload with its secrets replaced. */
export function maskValue(value: unknown): unknown {
  if (typeof value === 'string') return maskString(value);
  if (Array.isArray(value)) return value.map(maskValue);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const fields = value as Record<string, unknown>;
  const isNamed = namesSecret(fields);
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      if (isSecretField(name, fields) || (isNamed && valueFields.has(name))) return [name, maskAll(field)];
      return [name, maskValue(field)];
    }),
  );
}

/**
 * Fields in which OCPP puts the value that belongs to a name: ChangeConfiguration, SetVariables,
 * NotifyReport, …
 */
const valueFields = new Set(['value', 'attributeValue', 'variableAttribute', 'data']);

/** An object that names a configuration key or a variable, such as `{key: 'AuthorizationKey', value: …}`. */
function namesSecret({ key, name, variable, messageId }: Record<string, unknown>): boolean {
  const ofVariable =
    typeof variable === 'object' && variable !== null && 'name' in variable ? variable.name : variable;
  return [key, name, ofVariable, messageId].some((said) => typeof said === 'string' && isSecretName(said));
}

function isSecretField(name: string, siblings: Record<string, unknown>): boolean {
  // The shared key of a VPN (2.0.1 VPNType); elsewhere `key` is a name.
  if (name === 'key') return 'server' in siblings;
  return isSecretName(name) && typeof siblings[name] !== 'object';
}

/** Every text and number below a value that is secret as a whole. */
function maskAll(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskAll);
  if (typeof value === 'object' && value !== null) {
    const attributes = Object.entries(value).map(([name, field]) => [
      name,
      // An attribute's type and mutability are no secret.
      name === 'value' || typeof field === 'object' ? maskAll(field) : field,
    ]);
    return Object.fromEntries(attributes) as unknown;
  }
  return value === null || value === '' || typeof value === 'boolean' ? value : masked;
}

/** A URL without its user name and password and without secret parameters, to be shown and kept. */
export function maskUrl(url: string): string {
  return maskPlain(url);
}

/** Text inside a message, such as the data of a DataTransfer, may be JSON again. */
function maskString(text: string): string {
  if (!mayHoldSecret(text)) return text;
  return /^\s*[{[]/.test(text) ? maskText(text) : maskPlain(text);
}

const pem = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
/** Names are masked with passwords: access tokens stand in either place. */
const userInfo = /(:\\?\/\\?\/)[^"/\s]*@/g;
const signedQuery =
  /([?&][^=&\s"?]{0,64}(?:sig|signature|token|key|secret|pass|pwd|passw(?:or)?d|auth)=)[^&\s"]*/gi;
const assigned =
  /((?:authori[sz]ation[-_ ]?key|passw(?:or)?d|passphrase|secret|psk|private[-_ ]?key|sim[-_ ]?pin|(?:api|auth)[-_ ]?key|(?:access|auth|bearer)[-_ ]?token)[a-z0-9_]{0,64}(?:\\*"|')?(?:\s*,\s*\\*"value\\*")?\s*[=:]\s*)(\\*"|')?((?:\\+(?!["'\\])|[^,;&}\]\s"'\\])+)/gi;

function maskPlain(text: string): string {
  return text
    .replace(pem, masked)
    .replace(userInfo, `$1${masked}@`)
    .replace(signedQuery, `$1${masked}`)
    .replace(assigned, (_all, name: string, quote = '') => `${name}${quote}${masked}`);
}
