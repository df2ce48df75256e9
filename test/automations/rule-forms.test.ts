// The procedures behind the rule form of the dashboard.
import { expect } from 'vitest';
import { openDashboard, type DashboardClient } from '../support/dashboard.ts';
import { createWorld, ruleTo, type World } from '../support/world.ts';
import { createFork } from '../webinars/adaptive-world.ts';
import { nowhere, test } from './automation-world.ts';

interface Param {
  name: string;
  help: string | null;
  isRequired: boolean;
  control: string;
  minimum: number | null;
  choices: { value: string }[];
  interactionTypes: string[];
  default: string | null;
}

interface TriggerForm {
  type: string;
  params: Param[];
  description: string;
  sample: { event_type: string };
}

/** The value that a person could give in each control, of a webinar with these parts. */
const valueIn = (
  { control, minimum, choices, name, interactionTypes }: Param,
  parts: Record<string, string>,
): unknown => {
  if (control === 'number') return Math.max(minimum ?? 0, 5);
  if (control === 'texts') return ['price'];
  // The event that stops a timer must differ from the one that starts it.
  if (control === 'choice') return choices[name === 'unlessEvent' ? 1 : 0]!.value;
  return control === 'poll_option' ? 'b' : parts[interactionTypes[0] ?? control];
};

/** The ids of an interaction of each type that triggers name, of a branch and of a segment. */
async function createParts({ accountId, key, webinar, create, rest, interaction }: World) {
  const fork = await createFork({ accountId, key, webinarId: webinar.id, create, call: rest });
  const options = ['a', 'b'].map((id) => ({ id, label: id }));
  return {
    branch: fork['intro>short']!,
    segment: fork['intro']!,
    offer: await interaction({ type: 'offer', url: 'https://example.com/', buttonLabel: 'Buy' }),
    handout: await interaction({
      type: 'handout',
      url: 'https://example.com/slides.pdf',
      fileName: 'slides.pdf',
    }),
    poll: await interaction({ type: 'poll', options }),
  };
}

async function openForms(world: World): Promise<[DashboardClient, TriggerForm[]]> {
  const dashboard = await openDashboard(world.service, world);
  return [dashboard, await dashboard.query('automations.triggerForms')];
}

test('a rule of every trigger can be made from its form, with its required params and with all of them', async () => {
  await using world = await createWorld({ publish: false, webinar: { kind: 'adaptive' } });
  const parts = await createParts(world);
  const [dashboard, forms] = await openForms(world);
  const webinarId = world.webinar.id;
  expect(forms.length).toBeGreaterThan(14);
  for (const { type, params, description, sample } of forms) {
    expect(sample.event_type).toBe(type);
    // They are written for pages, not for the description of the API.
    for (const shown of [description, ...params.map(({ help }) => help ?? '')])
      expect(shown).not.toMatch(/`|Id\b/);
    for (const given of [params.filter((param) => param.isRequired), params]) {
      const trigger = {
        type,
        params: Object.fromEntries(given.map((param) => [param.name, valueIn(param, parts)])),
      };
      const draft = { ...ruleTo(nowhere), trigger };
      expect(await dashboard.mutate('automations.rules.check', { webinarId, draft }), type).toEqual([]);
      const rule = await dashboard.mutate('automations.rules.create', { webinarId, ...draft });
      expect(rule.trigger, type).toMatchObject(trigger);
    }
    const required = params.filter((param) => param.isRequired).map(({ name }) => `trigger.params.${name}`);
    const empty = { ...ruleTo(nowhere), trigger: { type, params: {} } };
    const problems = await dashboard.mutate('automations.rules.check', { webinarId, draft: empty });
    expect(
      problems.map(({ path }: { path: string }) => path),
      type,
    ).toEqual(required);
  }
});

test('a draft is checked as saving checks it, with all of its problems', async ({ world }) => {
  const [dashboard] = await openForms(world);
  const draft = {
    name: ' ',
    trigger: { type: 'watched_percent', params: { percent: 101 } },
    conditions: [
      { field: 'age', operator: 'eq', value: 1 },
      { field: 'watchedPercent', operator: 'gte', value: 'much' },
    ],
    action: { type: 'webhook', url: nowhere },
  };
  const found = await dashboard.mutate('automations.rules.check', { webinarId: world.webinar.id, draft });
  const saved = await world.call('POST /automations', draft);
  expect(found).toEqual(saved.json.issues);
  expect(found.map(({ path }: { path: string }) => path)).toEqual([
    'name',
    'trigger.params.percent',
    'conditions.0.field',
    'conditions.1.value',
  ]);
  const withMode = { ...ruleTo(nowhere), fireMode: 'every_match' };
  const refused = await world.call('POST /automations', withMode);
  expect(
    await dashboard.mutate('automations.rules.check', { webinarId: world.webinar.id, draft: withMode }),
  ).toEqual(refused.json.issues);
});

test('a URL is judged as saving judges it, with the reason', async ({ world }) => {
  const [dashboard] = await openForms(world);
  expect(await dashboard.query('automations.checkUrl', { url: nowhere })).toEqual({
    ok: true,
    message: null,
  });
  for (const url of ['https://10.0.0.1/hook', 'ftp://example.com/', 'example', 'https://u:p@example.com/']) {
    const refused = await world.call('POST /automations', ruleTo(url));
    const { ok, message } = await dashboard.query('automations.checkUrl', { url });
    expect([ok, message], url).toEqual([false, refused.json.issues[0].message]);
  }
});

test('a registration of another workspace is explained as if it did not exist', async ({ world }) => {
  const theirs = await world.neighbour();
  const registrationId = await world.register('ada@example.com');
  const stranger = await openDashboard(theirs.service, theirs);
  const { id: ruleId } = await theirs.rule(nowhere);
  const asked = { webinarId: theirs.webinar.id, ruleId, registrationId };
  await expect(stranger.query('automations.rules.explain', asked)).rejects.toThrow('registration_not_found');
});
