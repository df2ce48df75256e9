import type { Action } from './behaviour.ts';
import type { Redirect } from '../service/room-client.ts';
import type { SimulatedAttendee, World } from './simulated-attendee.ts';
import { noteClick, noteMessage, noteVote, type Outcome } from './action-log.ts';

/** Between the two clicks of a double click. */
const twiceMs = 180;

/** Performs a planned action, if a page is open. */
export function performAction(world: World, attendee: SimulatedAttendee, action: Action): void {
  if (attendee.openTabs === 0) return;
  const run = async (): Promise<void> => {
    if ((await call(world, attendee, action)) === 'done') world.counters.actions += 1;
  };
  void run();
  if (action.type !== 'message' && action.times === 2)
    world.agenda.at(performance.now() + twiceMs, () => void run());
}

async function call(
  { room, interactions, shop }: World,
  attendee: SimulatedAttendee,
  action: Action,
): Promise<Outcome> {
  const { join, actionLog, clickUrls } = attendee;
  if (action.type === 'vote') {
    const { outcome } = await room.answer(join, interactions.poll, action.optionId);
    noteVote(actionLog, action.optionId, outcome);
    return outcome;
  }
  if (action.type === 'message') {
    const { outcome, body } = await room.sendMessage(join, action.text);
    noteMessage(actionLog, { text: action.text, id: body?.id }, outcome);
    return outcome;
  }
  const clickUrl = clickUrls.get(interactions[action.on]);
  const { outcome, body } =
    action.via === 'link' && clickUrl !== undefined
      ? await room.follow(clickUrl)
      : await room.click(join, interactions[action.on]);
  noteClick(actionLog, action.on, outcome);
  if (action.on === 'offer' && outcome === 'done') shop?.visit(attendee, clickIdOf(body!));
  return outcome;
}

/** As the shop's page reads it from its address. */
const clickIdOf = ({ redirectUrl }: Redirect): string =>
  new URL(redirectUrl).searchParams.get('svc_click') ?? '';
