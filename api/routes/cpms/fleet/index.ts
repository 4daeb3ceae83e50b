import { room } from '#api/plugins/openapi/room.ts';
import { alertChannelDeliveryRoutes } from './alert-channel-deliveries.ts';
import { alertChannelRoutes } from './alert-channels.routes.ts';
import { alertMuteRoutes } from './alert-mutes.routes.ts';
import { alertRuleRoutes } from './alert-rules.routes.ts';
import { alertThresholdRoutes } from './alert-thresholds.routes.ts';
import { alertRoutes } from './alerts.routes.ts';
import { chargerHistoryRoutes } from './charger-history.routes.ts';
import { statusIntervalRoutes } from './charger-history-intervals.routes.ts';
import { messageTailRoutes } from './charger-history-live.ts';
import { meterSeriesRoutes } from './charger-history-series.ts';
import { chargerModelRoutes } from './charger-models.routes.ts';
import { chargerOverviewRoutes } from './charger-overview.routes.ts';
import { chargerRegistrationRoutes } from './charger-registration.routes.ts';
import { chargerRoutes } from './chargers.routes.ts';
import { connectorRoutes } from './connectors.routes.ts';
import { deviceDataRoutes } from './device-data.routes.ts';
import { evseRoutes } from './evses.routes.ts';
import { installationRoutes } from './installation.routes.ts';
import { locationRoutes } from './locations.routes.ts';
import { manufacturerRoutes } from './manufacturers.routes.ts';
import { meterKeyRoutes } from './meter-keys.routes.ts';
import { meterOverrideRoutes } from './meter-overrides.routes.ts';
import { networkRoutes } from './networks.routes.ts';
import { rejectedConnectionRoutes } from './rejected-connections.routes.ts';
import { simulationRoutes } from './simulations.routes.ts';
import { stationStateRoutes } from './station-state.routes.ts';
import { trustedCertificateRoutes } from './trusted-certificates.routes.ts';

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
  stationStateRoutes,
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
