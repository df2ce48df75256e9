import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { testApi } from '../support/api.ts';
import { testWorker } from '../support/worker.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

// The parts of the formats of Grafana (schema version 42) and Prometheus that the files use. Other fields of panels are Grafana's own.
const datasource = z.strictObject({ type: z.literal('prometheus'), uid: z.literal('${datasource}') });

const row = z.looseObject({ type: z.literal('row'), id: z.int(), title: z.string().min(1) });

const chart = z.looseObject({
  type: z.enum(['stat', 'timeseries', 'table']),
  id: z.int(),
  title: z.string().min(1),
  description: z.string().regex(/\.$/),
  datasource,
  gridPos: z.strictObject({
    x: z.int().min(0).max(23),
    y: z.int().min(0),
    w: z.int().min(1).max(24),
    h: z.int().min(1),
  }),
  fieldConfig: z.strictObject({ defaults: z.looseObject({}), overrides: z.array(z.unknown()) }),
  options: z.looseObject({}),
  targets: z
    .array(z.looseObject({ expr: z.string().min(1), refId: z.string().regex(/^[A-Z]$/), datasource }))
    .min(1),
});

const board = z.strictObject({
  annotations: z.strictObject({ list: z.array(z.unknown()) }),
  description: z.string().regex(/\.$/),
  editable: z.boolean(),
  fiscalYearStartMonth: z.literal(0),
  graphTooltip: z.literal(1),
  links: z.array(z.unknown()),
  panels: z.array(z.discriminatedUnion('type', [row, chart])),
  refresh: z.string(),
  schemaVersion: z.literal(42),
  tags: z.array(z.string()),
  templating: z.strictObject({
    list: z.array(z.looseObject({ name: z.string(), type: z.enum(['datasource', 'query']) })),
  }),
  time: z.strictObject({ from: z.string(), to: z.string() }),
  timepicker: z.strictObject({}),
  timezone: z.literal('browser'),
  title: z.string(),
  uid: z.string().regex(/^[a-z-]{1,40}$/),
  version: z.int(),
});

const duration = z.string().regex(/^\d+[smhd]$/);

const rule = z.strictObject({
  alert: z.string().regex(/^[A-Z]\w+$/),
  expr: z.string().min(1),
  for: duration,
  labels: z.strictObject({ severity: z.enum(['urgent', 'working-hours']) }),
  annotations: z.strictObject({ runbook: z.string() }),
});

const ruleFile = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string().min(1), rules: z.array(rule).min(1) })).min(1),
});

const boards = ['deliveries', 'service'].map(
  (name) => JSON.parse(read(`infra/grafana/${name}.json`)) as unknown,
);
const loaded = boards.map((json) => board.parse(json));
const charts = loaded.flatMap(({ panels }) => panels.filter((panel) => panel.type !== 'row'));
const queries = charts.flatMap(({ targets }) => targets.map(({ expr }) => expr));
const rules = ruleFile.parse(parse(read('infra/grafana/alerts.yaml'))).groups.flatMap((group) => group.rules);

/** Names of metrics in a query, without functions, labels and their values. */
const metricsIn = (query: string): string[] =>
  query.replaceAll(/\{[^}]*\}|by \([^)]*\)/g, '').match(/\b(?!histogram_)[a-z]+_[a-z0-9_]+\b(?!\()/g) ?? [];

/** The names of a metric's samples: a histogram has three. */
let exported: Map<string, string[]>;

beforeAll(async () => {
  // Without a replica an API has no metrics of one.
  await using api = await testApi({ options: { replica: { url: 'postgres://127.0.0.1:9/none' } } });
  await using worker = await testWorker(api.db.url);
  const answers = await Promise.all([worker.get('/metrics'), fetch(`${api.baseUrl}/metrics`)]);
  const metrics = (await Promise.all(answers.map((answer) => answer.text()))).join('\n');
  exported = new Map(
    [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [
      name!,
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name! + end) : [name!],
    ]),
  );
});

test('the dashboards and the alert rules fit their schemas, which refuse a planted error', () => {
  for (const [index, { panels }] of loaded.entries()) {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const planted = structuredClone(boards[index]) as { panels: { gridPos: { w: number } }[] };
    planted.panels[1]!.gridPos.w = 25;
    expect(board.safeParse(planted).success).toBe(false);
  }
  const text = read('infra/grafana/alerts.yaml');
  expect(ruleFile.safeParse(parse(text.replace('for: 2m', 'for: soon'))).success).toBe(false);
  expect(ruleFile.safeParse(parse(text.replace('        expr:', '        expression:'))).success).toBe(false);
});

test('panels of a dashboard do not cover each other', () => {
  for (const { panels, title } of loaded) {
    const cells = panels.flatMap((panel) => {
      if (panel.type === 'row') return [];
      const { x, y, w, h } = panel.gridPos;
      return Array.from({ length: w * h }, (_cell, at) => `${x + (at % w)},${y + Math.floor(at / w)}`);
    });
    expect(new Set(cells).size, title).toBe(cells.length);
  }
});

test('processes export every metric that a panel, a variable or an alert names', () => {
  const samples = new Set([...exported.values()].flat());
  const named = [...queries, ...rules.map(({ expr }) => expr)];
  const variables = JSON.stringify(loaded.map(({ templating }) => templating)).match(
    /(?<=label_values\()\w+/g,
  )!;
  for (const query of [...named, ...variables])
    for (const name of metricsIn(query)) expect(samples, `${name} in ${query}`).toContain(name);
  for (const query of named) expect(metricsIn(query), query).not.toEqual([]);
});

test('the dashboards show every metric that the service exports, apart from further ones of Node', () => {
  const shown = new Set(queries.flatMap(metricsIn));
  const ours = [...exported].filter(([name]) => !/^(nodejs|process)_/.test(name));
  expect(ours.length).toBeGreaterThan(35);
  const missing = ours.filter(([, samples]) => !samples.some((sample) => shown.has(sample)));
  expect(missing.map(([name]) => name)).toEqual([]);
});

test('every alert has a section in the runbooks, and every section an alert', () => {
  const sections = [...read('docs/runbooks.md').matchAll(/^## (\w+)$/gm)].map((match) => match[1]!);
  expect(sections.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  for (const { alert, annotations } of rules)
    expect(annotations.runbook).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
});
