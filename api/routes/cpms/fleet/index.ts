import { room } from '#api/plugins/openapi/room.ts';
import { alertChannelDeliveryRoutes } from './alert-channel-deliveries.ts';
import { alertChannelRoutes } from './alert-channels.ts';
import { alertMuteRoutes } from './alert-mutes.ts';
import { alertRuleRoutes } from './alert-rules.ts';
import { alertThresholdRoutes } from './alert-thresholds.ts';
import { alertRoutes } from './alerts.ts';
import { chargerHistoryRoutes } from './charger-history.ts';
import { statusIntervalRoutes } from './charger-history-intervals.ts';
import { messageTailRoutes } from './charger-history-live.ts';
import { meterSeriesRoutes } from './charger-history-series.ts';
import { chargerModelRoutes } from './charger-models.ts';
import { chargerOverviewRoutes } from './charger-overview.ts';
import { chargerRegistrationRoutes } from './charger-registration.ts';
import { chargerRoutes } from './chargers.ts';
import { connectorRoutes } from './connectors.ts';
import { deviceDataRoutes } from './device-data.ts';
import { evseRoutes } from './evses.ts';
import { installationRoutes } from './installation.ts';
import { locationRoutes } from './locations.ts';
import { manufacturerRoutes } from './manufacturers.ts';
import { meterKeyRoutes } from './meter-keys.ts';
import { meterOverrideRoutes } from './meter-overrides.ts';
import { networkRoutes } from './networks.ts';
import { rejectedConnectionRoutes } from './rejected-connections.ts';
import { simulationRoutes } from './simulations.ts';
import { trustedCertificateRoutes } from './trusted-certificates.ts';

/** Routes of the room `fleet`. */
export const fleet = room('fleet', [
  networkRoutes,
  trustedCertificateRoutes,
  manufacturerRoutes,
  chargerModelRoutes,
  meterOverrideRoutes,
  locationRoutes,
  chargerRoutes,
  simulationRoutes,
  chargerOverviewRoutes,
  chargerRegistrationRoutes,
  rejectedConnectionRoutes,
  meterKeyRoutes,
  evseRoutes,
  chargerHistoryRoutes,
  meterSeriesRoutes,
  statusIntervalRoutes,
  deviceDataRoutes,
  connectorRoutes,
  alertRoutes,
  alertRuleRoutes,
  alertMuteRoutes,
  alertChannelRoutes,
  alertChannelDeliveryRoutes,
  alertThresholdRoutes,
  installationRoutes,
  messageTailRoutes,
]);
