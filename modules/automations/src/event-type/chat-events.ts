import { text } from '@service/trpc';
import { containsText, containsWord, foldOnce } from '@service/conditions';
import type { EvaluationBudget } from '@service/conditions/budget';
import { z } from 'zod';
import { defineEventType, someId, textOf, time } from './define-event-type.ts';

type IsMatch = (message: string, keyword: string) => boolean;

const comparisons = {
  contains: containsText,
  contains_word: containsWord,
  equals: (message, keyword) => message === keyword,
  starts_with: (message, keyword) => message.startsWith(keyword),
} satisfies Record<string, IsMatch>;

const matchModes = Object.keys(comparisons) as (keyof typeof comparisons)[];

export const chatEvents = {
  chat_response: defineEventType({
    type: 'chat_response',
    title: 'Sent a chat message',
    group: 'Interactions and chat',
    when: 'An attendee sends a chat message',
    sentence: 'an attendee sends a chat message[ that {match} {keywords}]',
    description: 'An attendee sends a chat message. A rule can require keywords.',
    data: z.looseObject({
      message: z.string().optional().describe('The text of the message.'),
      sent_at: time('The time at which it was sent.'),
      message_event_id: someId('message. Each message has its own'),
    }),
    sample: {
      message: 'What does it cost?',
      sent_at: '2026-12-01T17:20:31.250Z',
      message_event_id: '019aa2d3-2b53-7f61-a4a9-07f3f0c1b6aa',
    },
    params: z
      .strictObject({
        keywords: z
          .array(text(100))
          .min(1)
          .max(20)
          .optional()
          .describe('Only messages that match one of these, regardless of case. Default: any message.'),
        match: z
          .enum(matchModes)
          .meta({ id: 'KeywordMatch', description: 'The comparison of a message with a keyword.' })
          .default('contains'),
      })
      .meta({ id: 'ChatResponseParams' })
      .prefault({}),
    controls: {
      keywords: { label: 'Keywords', control: 'texts' },
      match: {
        label: 'The message',
        control: 'choice',
        choices: {
          contains: { label: 'contains a keyword', phrase: 'contains' },
          contains_word: { label: 'contains a keyword as a whole word', phrase: 'contains the word' },
          equals: { label: 'is a keyword', phrase: 'is' },
          starts_with: { label: 'starts with a keyword', phrase: 'starts with' },
        },
      },
    },
    matches: {
      keywords: (keywords, { event, params, budget }) =>
        hasKeyword(event.data['message'], { keywords, isMatch: comparisons[params.match] }, budget),
      // Part of the comparison above.
      match: () => true,
    },
    subject: ({ id, data, isEveryMatch }) => (isEveryMatch ? textOf(data['message_event_id'] ?? id) : ''),
  }),
};

interface Search {
  keywords: readonly string[];
  isMatch: IsMatch;
}

function hasKeyword(
  message: unknown,
  { keywords, isMatch }: Search,
  budget: EvaluationBudget,
): boolean | undefined {
  if (typeof message !== 'string') return false;
  const folded = budget.fold(message);
  const isFound = [...foldOnce(keywords, () => keywords, budget)].some((keyword) => {
    if (budget.isSpent) return false;
    budget.spend(folded.length + keyword.length);
    return isMatch(folded, keyword);
  });
  return budget.isSpent ? undefined : isFound;
}
