import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { Described, Flag, Uuid } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  readAlertRules,
  resetAlertRule,
  type RuleOwner,
  setAlertRule,
} from '#api/services/fleet/alert-rules.service.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { AlertRuleSchema, Kind, NewAlertRule, ruleView, settingsOf } from './alert-rule-schema.ts';

const query = Type.Object({
  networkId: Type.Optional(Uuid('Network of the rules. Required for a caller of several networks.')),
  networkUuid: networkQuery.networkUuid,
  system: Type.Optional(
    Flag('True for the rules of the whole system (unrestricted callers).', false, { default: false }),
  ),
});

const ownerOf = (named: { networkId?: string; networkUuid?: string; system?: boolean }): RuleOwner => ({
  networkUuid: networkOf(named),
  isSystem: named.system === true,
});

const params = Type.Object({ kind: Described(Kind, 'Kind of the alert.', 'charger-offline') });
const errors = ['NETWORK_NOT_FOUND', 'NETWORK_NOT_ALLOWED'] as const;

/** Registers the routes of the rules of alerts. */
export function alertRuleRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /alert-rules', 'cpms:read:alerts', {
    operationId: 'listAlertRules',
    summary: 'List the rules of all kinds of alerts, with their defaults',
    description:
      'Rules of a network, or of the whole system (`system=true`, unrestricted callers). A kind without a ' +
      'stored rule has its defaults.',
    querystring: query,
    response: {
      200: Envelope(Type.Array(AlertRuleSchema), 'One rule for each kind.'),
      ...cpmsErrors(...errors),
    },
    handler: async (request) => {
      const rules = await readAlertRules(deps, callerOf(request), ownerOf(request.query));
      return success(rules.map(ruleView));
    },
  });

  operation(app, 'PUT /alert-rules/:kind', 'cpms:write:alerts', {
    operationId: 'setAlertRule',
    summary: 'Replace the rule of a kind of alerts',
    description:
      'Omitted settings get their defaults. The rule applies to alerts that are opened from now on.',
    params,
    querystring: query,
    body: NewAlertRule,
    response: {
      200: Envelope(AlertRuleSchema, 'The rule in effect.'),
      ...cpmsErrors(...errors),
    },
    handler: async (request) => {
      const { kind } = request.params;
      const settings = settingsOf(request.body);
      return success(
        ruleView(await setAlertRule(deps, actorOf(request), ownerOf(request.query), kind, settings)),
      );
    },
  });

  operation(app, 'DELETE /alert-rules/:kind', 'cpms:write:alerts', {
    operationId: 'resetAlertRule',
    summary: 'Reset the rule of a kind of alerts to its defaults',
    description: 'Deletes the stored rule of the kind. A repeat changes nothing.',
    params,
    querystring: query,
    response: { 200: Envelope(AlertRuleSchema, 'The rule in effect.'), ...cpmsErrors(...errors) },
    handler: async (request) => {
      const { kind } = request.params;
      return success(ruleView(await resetAlertRule(deps, actorOf(request), ownerOf(request.query), kind)));
    },
  });
}
