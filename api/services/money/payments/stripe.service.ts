import { Stripe } from 'stripe';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { minorDigits } from '#shared/pricing/currencies.ts';
import type { PaymentEvent, PaymentProvider } from './provider.ts';

/** Settings of an account at Stripe. */
export interface StripeAccount {
  secretKey: string;
  /** Signs the webhook's events (whsec_…). */
  webhookSecret: string;
  /** Another address of Stripe's API, for tests. */
  apiUrl?: string;
}

/**
 * Returns true for disputes that leave the money with us: those that were won, and mere inquiries of the
 * driver's bank.
 */
const keepsMoney = (status: string) =>
  status === 'won' || status === 'prevented' || status.startsWith('warning_');

/** Metadata may be of others who use the account. */
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A driver waits for the answer. */
const timeoutMs = 10_000;

/** For what is asked within a transaction, which PostgreSQL ends when it is idle for 30 s. */
const withinTransaction = { timeout: 5000, maxNetworkRetries: 1 };

/** Stripe as the payment provider: PaymentIntents, which the driver's app confirms with Stripe's own components. */
export function stripePayments({ secretKey, webhookSecret, apiUrl }: StripeAccount): PaymentProvider {
  const stripe = new Stripe(secretKey, {
    ...(apiUrl !== undefined && addressOf(new URL(apiUrl))),
    timeout: timeoutMs,
    maxNetworkRetries: 2,
    telemetry: false,
  });
  return {
    name: 'stripe',
    async beginPayment({ topUpUuid, amountMinor, currency }) {
      const intent = await asked(() =>
        stripe.paymentIntents.create(
          {
            amount: Number(toStripe(amountMinor, currency)),
            currency: currency.toLowerCase(),
            automatic_payment_methods: { enabled: true },
            metadata: { top_up: topUpUuid },
          },
          { idempotencyKey: topUpUuid },
        ),
      );
      if (intent.client_secret === null) throw paymentFailed('Stripe answered without a client secret.');
      return { reference: intent.id, clientSecret: intent.client_secret };
    },
    readEvent(body, signature) {
      try {
        return toEvent(stripe.webhooks.constructEvent(body, signature ?? '', webhookSecret));
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
        throw new DomainError('SIGNATURE_INVALID', 'The signature in Stripe-Signature is not valid.');
      }
    },
    async readRefunded(reference) {
      const [{ latest_charge: charge }, disputes] = await asked(() =>
        Promise.all([
          stripe.paymentIntents.retrieve(reference, { expand: ['latest_charge'] }, withinTransaction),
          stripe.disputes.list({ payment_intent: reference, limit: 100 }, withinTransaction),
        ]),
      );
      if (charge === null || typeof charge === 'string') return null;
      const disputed = disputes.data.filter(({ status }) => !keepsMoney(status));
      const wentBack = disputed.reduce((sum, { amount }) => sum + amount, charge.amount_refunded);
      const currency = charge.currency.toUpperCase();
      return { amountMinor: fromStripe(wentBack, currency), currency };
    },
  };
}

function addressOf({ hostname, port, protocol }: URL) {
  return { host: hostname, port, protocol: protocol === 'http:' ? ('http' as const) : ('https' as const) };
}

function toEvent(event: Stripe.Event): PaymentEvent | null {
  switch (event.type) {
    case 'payment_intent.succeeded': {
      const { amount_received, currency } = event.data.object;
      const code = currency.toUpperCase();
      const paid = { amountMinor: fromStripe(amount_received, code), currency: code };
      return { ...ofIntent(event.id, event.data.object), type: 'paid', paid };
    }
    case 'payment_intent.canceled':
      return { ...ofIntent(event.id, event.data.object), type: 'cancelled', paid: null };
    // Events come in any order, a refund can fail later and a dispute can be won: the sum is read from Stripe
    // instead.
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated': {
      const { payment_intent: intent } = event.data.object;
      if (intent === null) return null;
      const reference = typeof intent === 'string' ? intent : intent.id;
      return { id: event.id, type: 'refunds-changed', reference, topUpUuid: null, paid: null };
    }
    default:
      return null;
  }
}

function ofIntent(id: string, { id: reference, metadata }: Stripe.PaymentIntent) {
  const named = metadata['top_up'] ?? '';
  return { id, reference, topUpUuid: uuidPattern.test(named) ? named : null };
}

/** Currencies that Stripe counts without decimals, and with three (docs.stripe.com/currencies); all others with two. */
const withoutDecimals = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const withThree = new Set('BHD JOD KWD OMR TND'.split(' '));

function stripeDigits(currency: string): number {
  if (withoutDecimals.has(currency)) return 0;
  return withThree.has(currency) ? 3 : 2;
}

/** Converts minor units of ISO 4217 to those of Stripe, which gives ISK and UGX two decimals and MGA none. */
function toStripe(amountMinor: bigint, currency: string): bigint {
  return scale(amountMinor, stripeDigits(currency) - minorDigits(currency));
}

function fromStripe(amount: number, currency: string): bigint {
  return scale(BigInt(amount), minorDigits(currency) - stripeDigits(currency));
}

function scale(amount: bigint, digits: number): bigint {
  if (digits >= 0) return amount * 10n ** BigInt(digits);
  const divisor = 10n ** BigInt(-digits);
  if (amount % divisor === 0n) return amount / divisor;
  throw new DomainError(
    'VALIDATION_FAILED',
    'The payment provider does not accept fractions this small of the currency.',
  );
}

/** Calls Stripe. An amount that it refuses is the driver's error; every other failure is ours or Stripe's. */
async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.param === 'amount') {
      throw new DomainError(
        'VALIDATION_FAILED',
        `The payment provider refuses the amount: ${error.message}`,
        {
          errors: [{ field: 'amount', message: error.message }],
        },
      );
    }
    throw paymentFailed('The payment provider could not begin or show the payment.', error);
  }
}

function paymentFailed(message: string, cause?: unknown): DomainError {
  return new DomainError('PAYMENT_PROVIDER_FAILED', message, undefined, { cause });
}
