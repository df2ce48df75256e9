import type { Act } from './behaviour.ts';
import type { Performer, World } from './crowd.ts';
import { noteClick, noteMessage, noteVote, type Outcome } from './doings.ts';

/** Between the two clicks of a double click. */
const twiceMs = 180;

/** Does what was planned for now, if a page is open to do it in. */
export function perform(world: World, performer: Performer, act: Act): void {
  if (performer.openTabs === 0) return;
  const doIt = async (): Promise<void> => {
    if ((await call(world, performer, act)) === 'done') world.tally.acts += 1;
  };
  void doIt();
  if (act.type !== 'message' && act.times === 2)
    world.agenda.at(performance.now() + twiceMs, () => void doIt());
}

async function call({ room, interactions }: World, performer: Performer, act: Act): Promise<Outcome> {
  const { join, doings, clickUrls } = performer;
  if (act.type === 'vote') {
    const { outcome } = await room.answer(join, interactions.poll, act.optionId);
    noteVote(doings, act.optionId, outcome);
    return outcome;
  }
  if (act.type === 'message') {
    const { outcome, body } = await room.say(join, act.text);
    noteMessage(doings, { text: act.text, id: body?.id }, outcome);
    return outcome;
  }
  const clickUrl = clickUrls.get(interactions[act.on]);
  const { outcome } =
    act.via === 'link' && clickUrl !== undefined
      ? await room.follow(clickUrl)
      : await room.click(join, interactions[act.on]);
  noteClick(doings, act.on, outcome);
  return outcome;
}
