import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  cursorOf,
  cursorQuery,
  DateTime,
  Integer,
  pageSizeUpTo,
  periodOf,
  Text,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  sliceDeviceEvents,
  sliceDeviceModel,
  sliceSecurityEvents,
} from '#api/services/fleet/device-data.service.ts';
import { chargerOf, commandRequest } from '#api/routes/cpms/kernel/command-route.ts';
import {
  DeviceEvent,
  deviceEventView,
  DeviceVariable,
  deviceVariableView,
  SecurityEvent,
  securityEventView,
} from './device-data-view.ts';
import { CursorEnvelope, successSlice } from '#api/routes/cpms/kernel/envelope.ts';

const query = { ...commandRequest.querystring.properties, ...cursorQuery };
const span = {
  from: Type.Optional(DateTime('Earliest time of the event, inclusive.')),
  to: Type.Optional(DateTime('Latest time of the event, inclusive.')),
};
const names = {
  component: Type.Optional(Text(50, 'Component to filter by.', 'OCPPCommCtrlr')),
  variable: Type.Optional(Text(50, 'Variable to filter by.', 'HeartbeatInterval')),
};
/** Page size of the device model, which has up to 20,000 attributes. */
const modelPageSize = pageSizeUpTo(1000);
const errors = cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND');

/** Registers the routes of device models and events. */
export function deviceDataRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /chargers/:chargerUuid/device-model', 'cpms:read:device-data', {
    ...commandRequest,
    operationId: 'readDeviceModel',
    summary: 'List the components and variables of a charger (OCPP 2.0.1)',
    description:
      'Contents of the latest reports; the OCPP action GetBaseReport requests a new one. Empty for a charger ' +
      'with OCPP 1.6, whose settings are its configuration. `evseId` 0 selects the charger as a whole. At most ' +
      '20,000 attributes are stored; `deviceModelCutAt` of the charger is set when it reported more.',
    querystring: Type.Object({
      ...query,
      pageSize: modelPageSize,
      ...names,
      evseId: Type.Optional(
        Integer('EVSE number to filter by. 0 selects the charger as a whole.', 1, {
          minimum: 0,
          maximum: 1000,
        }),
      ),
    }),
    response: { 200: CursorEnvelope(DeviceVariable, 'One page of attributes of variables.'), ...errors },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { component, variable, evseId } = request.query;
      const filter = { component, variable, evseId };
      const page = await sliceDeviceModel(deps, charger, filter, cursorOf(request.query));
      return successSlice(page.rows.map(deviceVariableView), page.nextCursor);
    },
  });

  operation(app, 'GET /chargers/:chargerUuid/events', 'cpms:read:device-data', {
    ...commandRequest,
    operationId: 'listDeviceEvents',
    summary: 'List the device model events of a charger, newest first (OCPP 2.0.1)',
    description:
      'Events of NotifyEvent with their component and variable. Values of secrets are masked. Kept for ' +
      'LOG_DAYS (90 by default).',
    querystring: Type.Object({ ...query, ...names, ...span }),
    response: { 200: CursorEnvelope(DeviceEvent, 'One page of events.'), ...errors },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { component, variable } = request.query;
      const filter = { ...periodOf(request.query), component, variable };
      const page = await sliceDeviceEvents(deps, charger, filter, cursorOf(request.query));
      return successSlice(page.rows.map(deviceEventView), page.nextCursor);
    },
  });

  operation(app, 'GET /chargers/:chargerUuid/security-events', 'cpms:read:device-data', {
    ...commandRequest,
    operationId: 'listSecurityEvents',
    summary: 'List the security events of a charger, newest first',
    description:
      'Security events that the charger reported (OCPP security extension). Kept for RECORD_DAYS (1095 ' +
      'by default).',
    querystring: Type.Object({
      ...query,
      ...span,
      type: Type.Optional(Text(50, 'Kind of security event to filter by.')),
    }),
    response: { 200: CursorEnvelope(SecurityEvent, 'One page of security events.'), ...errors },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const filter = { ...periodOf(request.query), type: request.query.type };
      const page = await sliceSecurityEvents(deps, charger, filter, cursorOf(request.query));
      return successSlice(page.rows.map(securityEventView), page.nextCursor);
    },
  });
}
