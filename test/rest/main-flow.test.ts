// infra/flows/main-flow.arazzo.json, as a program that reads Arazzo plays it.
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { findOperation, type ApiDocument } from '@service/infra/no-code';
import { expect } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { test } from '../support/service-test.ts';
import { testWorker } from '../support/worker.ts';

interface Step {
  stepId: string;
  operationId: string;
  parameters?: { name: string; value: string }[];
  requestBody?: { payload: object };
  successCriteria: { condition: string }[];
  onFailure?: { retryAfter: number; retryLimit: number }[];
  outputs?: Record<string, string>;
}

interface Workflow {
  inputs: { required: string[] };
  parameters: { name: string; value: string }[];
  steps: Step[];
}

const file = await readFile('infra/flows/main-flow.arazzo.json', 'utf8');

test('the Arazzo file plays the main flow, from the webinar to the purchase', async ({ service, world }) => {
  await using receiver = await startReceiver();
  await using _worker = await testWorker(service.db.url);
  const inputs: Record<string, string> = {
    key: world.key,
    receiverUrl: receiver.url,
    email: 'ada@example.com',
    orderId: 'order-17',
    purchasedAt: new Date().toISOString(),
  };
  const document = (await (await fetch(`${service.baseUrl}/api/v1/openapi.json`)).json()) as ApiDocument;
  const [workflow] = JSON.parse(file).workflows as [Workflow];
  expect(Object.keys(inputs)).toEqual(workflow.inputs.required);

  const outputs: Record<string, unknown> = {};
  /** `$inputs.email`, `Bearer {$inputs.key}` or `$steps.createWebinar.outputs.webinarId`. */
  const resolve = (text: string): string =>
    text.replaceAll(/{?\$(inputs|steps)\.([\w.]+)}?/g, (_, source: string, name: string) =>
      String(source === 'inputs' ? inputs[name] : outputs[name]),
    );

  for (const step of workflow.steps) {
    const { method, path } = findOperation(document, step.operationId);
    const ids = Object.fromEntries((step.parameters ?? []).map(({ name, value }) => [name, resolve(value)]));
    const url = `${service.baseUrl}/api/v1${path.replaceAll(/{(\w+)}/g, (_, name: string) => ids[name]!)}`;
    const headers = Object.fromEntries(workflow.parameters.map(({ name, value }) => [name, resolve(value)]));
    const body = step.requestBody && resolve(JSON.stringify(step.requestBody.payload));
    const [retry] = step.onFailure ?? [];
    for (let attempt = 0; ; attempt++) {
      const init = { method, headers: { ...headers, 'Content-Type': 'application/json' }, body };
      const response = await fetch(url, init);
      const answer = await response.json();
      const valueOf = (expression: string): unknown =>
        expression === '$statusCode'
          ? response.status
          : expression
              .replace('$response.body#/', '')
              .split('/')
              .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], answer);
      const failed = step.successCriteria.filter(({ condition }) => {
        const [expression, expected] = condition.split(' == ') as [string, string];
        return String(valueOf(expression)) !== expected.replaceAll("'", '');
      });
      if (failed.length > 0 && retry && attempt < retry.retryLimit) {
        await setTimeout(retry.retryAfter * 1000);
        continue;
      }
      expect(failed, `${step.stepId}: ${JSON.stringify(answer)}`).toEqual([]);
      for (const [name, expression] of Object.entries(step.outputs ?? {}))
        outputs[`${step.stepId}.outputs.${name}`] = valueOf(expression);
      break;
    }
  }
  expect(receiver.received.map(({ body }) => JSON.parse(body.toString()).event_type)).toEqual(['registered']);
  const purchase = await world.rest(
    `GET /revenue/events/${String(outputs['recordRevenueEvent.outputs.revenueEventId'])}`,
  );
  expect(purchase.json.data).toMatchObject({ email: 'ada@example.com', amountMinor: 4900 });
});
