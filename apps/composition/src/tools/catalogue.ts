// The tools that an assistant sees, in this order: what is read first comes first.
import type { ToolDefinition } from '@service/mcp';
import { z } from 'zod';
import { automationTools } from './automations.ts';
import { interactionTools } from './interactions.ts';
import { registrationTools } from './registrations.ts';
import { text } from './fields.ts';
import { revenueTools } from './revenue.ts';
import { webinarTools } from './webinars.ts';

const accountTools: readonly ToolDefinition[] = [
  {
    name: 'get_me',
    procedure: 'accounts.me',
    title: 'Check the access',
    description:
      'Reads the name of the workspace and the scopes of this client, for example when an expected tool is missing.',
    output: z.object({
      data: z.object({
        account: z.object({ id: text, name: text, timeZone: text }),
        key: z.object({ label: text, scopes: z.array(text) }).nullable(),
      }),
    }),
  },
];

export const toolCatalogue: readonly ToolDefinition[] = [
  ...accountTools,
  ...webinarTools,
  ...registrationTools,
  ...interactionTools,
  ...automationTools,
  ...revenueTools,
];
