import { entityRow } from '@service/database';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { Condition } from '@service/conditions';
import { interactionDisplays, interactionTypes, type pollResults } from './enums.ts';

interface Offer {
  url: string;
  buttonLabel: string;
  /** In the smallest unit of `currency`. Both are null or neither is. */
  priceMinor: number | null;
  currency: string | null;
  imageUrl: string | null;
  productRefs: string[];
  couponCode: string | null;
  countdownSeconds: number | null;
}

interface Cta {
  url: string;
  buttonLabel: string;
}

export interface Poll {
  options: { id: string; label: string }[];
  multiple: boolean;
  results: (typeof pollResults)[number];
}

interface Handout {
  url: string;
  fileName: string;
}

/** A message that pages add to the chat, marked as a recorded one. Its text is the headline. */
interface Chat {
  authorName: string;
}

/** The fields that only one type of interaction has. */
export type InteractionDetails = Offer | Cta | Poll | Handout | Chat;

/** An offer, call to action, poll, handout or chat message that attendees see at a position of the video. */
export const Interaction = defineEntity({
  name: 'Interaction',
  tableName: 'interaction',
  schema: 'webinars',
  indexes: [{ name: 'interaction_webinar_index', properties: ['accountId', 'webinarId', 'id'] }],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    webinarId: p.uuid(),
    segmentId: p.uuid().nullable(),
    type: p.enum(interactionTypes),
    internalName: p.text(),
    headline: p.text(),
    body: p.text().nullable(),
    showAtSeconds: p.integer(),
    hideAtSeconds: p.integer().nullable(),
    enabled: p.boolean(),
    availableInReplay: p.boolean(),
    display: p.enum(interactionDisplays),
    dismissible: p.boolean(),
    showWhen: p.json<Condition[]>(),
    details: p.json<InteractionDetails>(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type Interaction = InferEntity<typeof Interaction>;

export const interactionRow = entityRow(Interaction);

/** The fields of a poll; undefined for other interactions. */
export const pollOf = ({ details }: Pick<Interaction, 'details'>): Poll | undefined =>
  'options' in details ? details : undefined;
