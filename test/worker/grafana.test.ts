import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { testWorker } from '../support/worker.ts';

interface Panel {
  title: string;
  type: string;
  description?: string;
  targets?: { expr: string }[];
}

interface Dashboard {
  uid: string;
  panels: Panel[];
  templating: { list: { name: string; type: string; query: unknown }[] };
}

const folder = join(import.meta.dirname, '../../infra/grafana');
const text = readFileSync(join(folder, 'deliveries.json'), 'utf8');
const dashboard = JSON.parse(text) as Dashboard;
const alerts = readFileSync(join(folder, 'README.md'), 'utf8').split('## Alerts')[1]!;
const queries = dashboard.panels.flatMap((panel) => (panel.targets ?? []).map(({ expr }) => expr));

/** Names of metrics in a query, without functions, labels and their values. */
const metricsIn = (query: string): string[] =>
  query.match(/\b(?:delivery|mail|process|nodejs)_[a-z0-9_]+/g) ?? [];

/** The names of a metric's samples: a histogram has three. */
let exported: Map<string, string[]>;

beforeAll(async () => {
  await using db = await testDatabase();
  await using worker = await testWorker(db.url);
  const metrics = await (await worker.get('/metrics')).text();
  exported = new Map(
    [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [
      name!,
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name! + end) : [name!],
    ]),
  );
});

test('workers export every metric that a panel or an alert names', () => {
  const samples = new Set([...exported.values()].flat());
  for (const query of [...queries, JSON.stringify(dashboard.templating), alerts])
    for (const name of metricsIn(query)) expect(samples, `${name} in ${query}`).toContain(name);
});

test('the dashboard shows every metric of deliveries that workers export', () => {
  const shown = new Set(queries.flatMap(metricsIn));
  const ours = [...exported].filter(([name]) => name.startsWith('delivery_'));
  expect(ours.length).toBeGreaterThan(10);
  for (const [name, samples] of ours)
    expect(
      samples.some((sample) => shown.has(sample)),
      name,
    ).toBe(true);
});

test('every panel has its own description and uses the chosen data source', () => {
  for (const panel of dashboard.panels.filter(({ type }) => type !== 'row')) {
    expect(panel.description, panel.title).toMatch(/\.$/);
    expect(panel.targets?.length, panel.title).toBeGreaterThan(0);
  }
  expect(new Set(text.match(/"uid": "[^"]*"/g))).toEqual(
    new Set(['"uid": "${datasource}"', `"uid": "${dashboard.uid}"`]),
  );
  expect(dashboard.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource' });
});
