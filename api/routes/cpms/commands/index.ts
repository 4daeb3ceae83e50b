import { room } from '#api/plugins/openapi/room.ts';
import { availabilityRoutes } from './availability.ts';
import { bulkJobRoutes } from './bulk-jobs.ts';
import { certificateRoutes } from './certificates.ts';
import { configurationRoutes } from './configuration.ts';
import { deviceControlRoutes } from './device-control.ts';
import { firmwareRoutes } from './firmware.ts';
import { firmwareImageRoutes } from './firmware-images.ts';
import { localListRoutes } from './local-lists.ts';
import { ocppCommandRoutes } from './ocpp-command.ts';
import { ocppSchemaRoutes } from './ocpp-schemas.ts';
import { passwordRoutes } from './password.ts';
import { variableRoutes } from './variables.ts';

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
