// The tools that an assistant sees, in this order: what is read first comes first.
import { page, withUntrusted, type ToolDefinition } from '@service/mcp';
import { z } from 'zod';
import { automationTools } from './automation-tools.ts';
import { interactionTools } from './interaction-tools.ts';
import { registrationTools } from './registration-tools.ts';
import { moment, nullable, text, whole } from './output-fields.ts';
import { revenueTools } from './revenue-tools.ts';
import { webhookTools } from './webhook-tools.ts';
import { webinarTools } from './webinar-tools.ts';

const accountTools: readonly ToolDefinition[] = [
  {
    name: 'get_me',
    procedure: 'accounts.me',
    title: 'Check the access',
    description:
      'Reads the name of the workspace and the scopes of this client, for when an expected tool is missing.',
    output: z.object({
      data: z.object({
        account: z.object({ id: text, name: text, timeZone: text }),
        key: z.object({ label: text, scopes: z.array(text), expiresAt: nullable(moment) }).nullable(),
      }),
    }),
  },
  {
    name: 'list_api_calls',
    procedure: 'activity.list',
    title: 'List API calls',
    description:
      'Lists the calls of all keys and connections, newest first, with the error code and refused fields of failed ones. Default: ' +
      'the last 24 hours. A GET of /mcp with 405 is a client that connects: no failure.',
    texts: {
      surface: 'Only these.',
      status: 'Only these.',
      errorCode: 'Such as `validation_failed`.',
    },
    hiddenArguments: ['range', 'keyId', 'requestId'],
    output: page(
      withUntrusted(
        {
          at: moment,
          surface: text,
          tool: nullable(text),
          status: whole,
          errorCode: nullable(text),
          durationMs: whole,
        },
        // Clients choose all of these.
        {
          method: nullable(text),
          path: nullable(text),
          refusedFields: z.array(text),
          keyLabel: text,
          userAgent: nullable(text),
          requestId: text,
        },
      ),
    ),
  },
  {
    name: 'list_connections',
    procedure: 'connections.list',
    title: 'List connections',
    // Sends and runs of a connection are read over REST: the list has no room for further tools.
    description:
      'Lists e-mail providers and marketing tools with their state, and how many people wait for a tool.',
    output: z.object({
      data: z.array(
        withUntrusted(
          {
            id: text,
            name: text,
            kind: text,
            provider: text,
            state: text,
            since: moment,
            waiting: z.object({ people: whole, oldestAt: nullable(moment) }).nullable(),
          },
          // Mostly in the words of the provider.
          { reason: nullable(text) },
        ),
      ),
    }),
  },
];

/** Texts of arguments that many tools have. A tool may have others. */
const sharedTexts = {
  webinarId: 'From list_webinars.',
  sessionId: 'From list_sessions.',
  registrationId: 'From list_registrations.',
  interactionId: 'From list_interactions.',
  ruleId: 'From list_automations.',
  deliveryId: 'From list_deliveries.',
  recoveryId: 'Of the recovery.',
  revenueEventId: 'From list_revenue_events.',
  from: 'At this time or later.',
  to: 'Before this time.',
  sort: 'Field to sort by.',
  order: 'Direction.',
};

const definitions: readonly ToolDefinition[] = [
  ...accountTools,
  ...webinarTools,
  ...registrationTools,
  ...interactionTools,
  ...automationTools,
  ...webhookTools,
  ...revenueTools,
];

export const toolCatalogue: readonly ToolDefinition[] = definitions.map((tool) => ({
  ...tool,
  texts: { ...sharedTexts, ...tool.texts },
}));
