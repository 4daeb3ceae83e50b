import { room } from '#api/plugins/openapi/room.ts';
import { availabilityRoutes } from './availability.routes.ts';
import { bulkJobRoutes } from './bulk-jobs.routes.ts';
import { certificateRoutes } from './certificates.routes.ts';
import { configurationRoutes } from './configuration.ts';
import { deviceControlRoutes } from './device-control.ts';
import { firmwareRoutes } from './firmware.routes.ts';
import { firmwareImageRoutes } from './firmware-images.routes.ts';
import { localListRoutes } from './local-lists.routes.ts';
import { ocppCommandRoutes } from './ocpp-command.ts';
import { ocppSchemaRoutes } from './ocpp-schemas.routes.ts';
import { passwordRoutes } from './password.ts';
import { variableRoutes } from './variables.routes.ts';

/** Routes of the room `commands`. */
export const commands = room('commands', [
  firmwareImageRoutes,
  localListRoutes,
  certificateRoutes,
  bulkJobRoutes,
  deviceControlRoutes,
  availabilityRoutes,
  configurationRoutes,
  variableRoutes,
  firmwareRoutes,
  passwordRoutes,
  ocppCommandRoutes,
  ocppSchemaRoutes,
]);
