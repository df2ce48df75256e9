// A database from before downloads of handouts were an event type of their own.
import { createId } from '@service/database';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { createFormerDatabase } from '../support/former-database.ts';

const ours = '20261122183001-trigger-downloads';

const [accountId, webinarId] = [createId(), createId()];

async function insertInteraction(pool: pg.Pool, type: string, details: object): Promise<string> {
  const id = createId();
  await pool.query(
    `insert into webinars.interaction (account_id, id, webinar_id, type, internal_name, headline, show_at_seconds, enabled,
       available_in_replay, display, dismissible, show_when, details, created_at, updated_at)
     values ($1, $2, $3, $4, 'Slides', 'Slides', 5, true, true, 'popup', true, '[]', $5, now(), now())`,
    [accountId, id, webinarId, type, details],
  );
  return id;
}

async function insertRule(pool: pg.Pool, triggerType: string, triggerParams: object): Promise<string> {
  const id = createId();
  await pool.query(
    `insert into automations.rule (account_id, id, webinar_id, name, enabled, trigger_type, trigger_params, endpoint_id,
       created_at, updated_at)
     values ($1, $2, $3, 'Rule', true, $4, $5, $1, now(), now())`,
    [accountId, id, webinarId, triggerType, triggerParams],
  );
  return id;
}

test('a rule on clicks that names a handout becomes a rule on its downloads, and every other rule stays', async () => {
  await using db = await createFormerDatabase((name) => name < ours);
  const { pool } = db;
  const url = 'https://example.com/';
  const handout = await insertInteraction(pool, 'handout', { url, fileName: 'a.pdf' });
  const offer = await insertInteraction(pool, 'offer', { url, buttonLabel: 'Buy' });
  const rules: [type: string, params: object, typeAfter: string][] = [
    ['cta_click', { interactionId: handout }, 'handout_download'],
    ['cta_click', { interactionId: handout.toUpperCase() }, 'handout_download'],
    ['cta_click', { interactionId: offer }, 'cta_click'],
    ['cta_click', { interactionId: createId() }, 'cta_click'],
    ['cta_click', {}, 'cta_click'],
    ['poll_response', { interactionId: handout }, 'poll_response'],
    ['chat_response', { keywords: ['price'] }, 'chat_response'],
  ];
  const expected = new Map<string, [string, object]>();
  for (const [type, params, typeAfter] of rules)
    expected.set(await insertRule(pool, type, params), [typeAfter, params]);
  expect(await db.migrate((name) => name <= ours)).toEqual([ours]);
  const { rows } = await pool.query('select id, trigger_type, trigger_params from automations.rule');
  expect(new Map(rows.map((row) => [row.id, [row.trigger_type, row.trigger_params]]))).toEqual(expected);
});
