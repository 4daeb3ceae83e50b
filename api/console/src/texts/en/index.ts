import { account } from './account.ts';
import { alerts } from './alerts.ts';
import { analytics } from './analytics.ts';
import { apiKeys } from './api-keys.ts';
import { auditLog } from './audit-log.ts';
import { audit } from './audit.ts';
import { bulkJobs } from './bulk-jobs.ts';
import { certificates } from './certificates.ts';
import { chargerCommands } from './charger-commands.ts';
import { chargerForm } from './charger-form.ts';
import { chargerHistory } from './charger-history.ts';
import { charger } from './charger.ts';
import { chargers } from './chargers.ts';
import { chargingProfiles } from './charging-profiles.ts';
import { common } from './common.ts';
import { configuration } from './configuration.ts';
import { deviceEvents } from './device-events.ts';
import { drivers } from './drivers.ts';
import { evseForm } from './evse-form.ts';
import { exports } from './exports.ts';
import { firmware } from './firmware.ts';
import { invoices } from './invoices.ts';
import { localList } from './local-list.ts';
import { locationDetails } from './location-details.ts';
import { locations } from './locations.ts';
import { log } from './log.ts';
import { map } from './map.ts';
import { models } from './models.ts';
import { networks } from './networks.ts';
import { ocppWords } from './ocpp-words.ts';
import { ocpp } from './ocpp.ts';
import { operators } from './operators.ts';
import { overview } from './overview.ts';
import { parking } from './parking.ts';
import { people } from './people.ts';
import { reservations } from './reservations.ts';
import { review } from './review.ts';
import { roaming } from './roaming.ts';
import { savedViews } from './saved-views.ts';
import { session } from './session.ts';
import { sessions } from './sessions.ts';
import { signIn } from './sign-in.ts';
import { start } from './start.ts';
import { tariffEditor } from './tariff-editor.ts';
import { tariffSimulator } from './tariff-simulator.ts';
import { tariffs } from './tariffs.ts';
import { tokens } from './tokens.ts';
import { wallets } from './wallets.ts';
import { webhooks } from './webhooks.ts';

/** English texts by namespace, one for each page. The other languages have the same keys. */
export const en = {
  account,
  alerts,
  analytics,
  apiKeys,
  audit,
  auditLog,
  bulkJobs,
  certificates,
  charger,
  chargerCommands,
  chargerForm,
  chargerHistory,
  chargers,
  chargingProfiles,
  common,
  configuration,
  deviceEvents,
  drivers,
  evseForm,
  exports,
  firmware,
  invoices,
  localList,
  locationDetails,
  locations,
  log,
  map,
  models,
  networks,
  ocpp,
  ocppWords,
  operators,
  overview,
  parking,
  people,
  reservations,
  review,
  roaming,
  savedViews,
  session,
  sessions,
  signIn,
  start,
  tariffEditor,
  tariffSimulator,
  tariffs,
  tokens,
  wallets,
  webhooks,
} as const;
