import type { WebhookDeps } from './events/deps.ts';
import type { ExternalIssuerDeps, ExternalIssuerSettings } from './access/external-issuer.ts';
import type { OpenIdClientSettings, OpenIdSignInDeps } from './access/openid-sign-in.service.ts';
import type { ServiceSettings } from './kernel/deps.ts';
import type { MailDeps, MailSettings } from './mail/transport.ts';
import type { LiveDeps } from './charging/live-watch.ts';
import type { EventDeps } from './events/event-hub.ts';
import type { BillDeps } from './money/bills.ts';
import type { PaymentDeps } from './money/payments/provider.ts';
import type { RoamingDeps } from './roaming/deps.ts';
import type { SimulationDeps } from './fleet/simulations.service.ts';

/** Dependencies of all services together, as the application opens them. */
export interface ApiDeps
  extends
    RoamingDeps,
    BillDeps,
    PaymentDeps,
    MailDeps,
    ExternalIssuerDeps,
    OpenIdSignInDeps,
    EventDeps,
    WebhookDeps,
    LiveDeps,
    SimulationDeps {}

/** Configuration that the dependencies of services are opened with. */
export interface ApiSettings extends ServiceSettings {
  /** Addresses and CIDR ranges that may be called although they are not public. */
  outboundAllow: readonly string[];
  /** Encrypts the secrets of webhooks; null: a key in a file of `dataDir`. */
  sealingKey: string | null;
  /** Keys that sealed secrets before. */
  formerSealingKeys: readonly string[];
  /** Directory of the files of this machine. */
  dataDir: string;
  /** Account at Stripe that takes drivers' payments; null: payments are off. */
  stripe: { secretKey: string; webhookSecret: string } | null;
  /** Mail server, or the directory that e-mails are written to. */
  mail: MailSettings;
  /** OpenID Connect issuer whose tokens operators may present; null: none. */
  externalIssuer: ExternalIssuerSettings | null;
  /** Registration at that issuer, for sign-ins from a browser; null: none. */
  openIdClient: OpenIdClientSettings | null;
}
