// Questions that a person picks in an AI client. Their texts name the tools in the order in which they answer the question.
import type { Prompt } from '@service/mcp';

export const mcpPrompts: readonly Prompt[] = [
  {
    name: 'why_did_this_not_fire',
    title: 'Why did this not fire?',
    description: 'Finds out why a webhook was not sent for a person, or did not arrive.',
    arguments: [
      { name: 'person', description: 'Name or e-mail address of the attendee.' },
      { name: 'webinar', description: 'Title of the webinar.' },
    ],
    tools: [
      'list_webinars',
      'list_automations',
      'list_registrations',
      'explain_automation',
      'list_deliveries',
      'get_automation_delivery',
    ],
    write: ({ person, webinar }) => `Why did the webhook for ${person} in the webinar ${webinar} not fire?

1. Find the webinar with list_webinars (q), its rules with list_automations and the person with list_registrations (q).
2. Call explain_automation for the rule. If several rules could be meant, ask me which one.
3. If it fired, find the delivery with list_deliveries (registrationId), and read its attempts with get_automation_delivery.

Answer in two sentences: the reason, with the condition or the answer of the receiver that decided it, and the change that would
help. Change nothing.`,
  },
  {
    name: 'webinar_report',
    title: 'Report of a webinar',
    description: 'Reports attendance, clicks, poll results, chat and revenue of a webinar.',
    arguments: [{ name: 'webinar', description: 'Title of the webinar.' }],
    tools: ['list_webinars', 'get_webinar_report', 'get_interaction_stats', 'list_chat_messages'],
    write: ({ webinar }) => `Write a report of the webinar ${webinar}.

1. Find the webinar with list_webinars (q) and call get_webinar_report.
2. For each poll call get_interaction_stats. For the last session call list_chat_messages.

Report registrations, attendance and no-shows, the clicks of each offer, the results of each poll, what people asked in the chat,
and the revenue of each currency. Say which numbers are missing because this client may not read them. Never add currencies.`,
  },
];
