// npm run openapi: the main flow (webinar, publish, subscription, registration, delivery, purchase) as an Arazzo file and as a
// Postman collection.
import { findOperation, type ApiDocument } from './no-code.ts';

/** The inputs of the flow, with their descriptions and with what Postman fills in. */
const inputs = {
  key: { description: 'An API key with full access.', postman: '' },
  receiverUrl: {
    description: 'A URL that receives the webhook.',
    postman: 'https://example.com/hooks/webinars',
  },
  email: { description: 'The e-mail address of the attendee.', postman: 'ada@example.com' },
  orderId: { description: 'Your unique id of the purchase.', postman: '{{$guid}}' },
  purchasedAt: { description: 'The time of the purchase, ISO 8601.', postman: '{{$isoTimestamp}}' },
};

interface Step {
  operationId: string;
  /** Values may be expressions of Arazzo. */
  body?: object;
  /** Values of the answer for later steps, by name. Path parameters of later steps have these names. */
  outputs?: Readonly<Record<string, string>>;
  /** The step is repeated until the value of the answer is this one. */
  until?: { pointer: string; value: string };
}

const steps: readonly Step[] = [
  {
    operationId: 'createWebinar',
    body: { title: 'Product launch', schedule: { onDemand: true } },
    outputs: { webinarId: '/data/id' },
  },
  { operationId: 'publishWebinar' },
  {
    operationId: 'createWebhook',
    body: { url: '$inputs.receiverUrl', eventTypes: ['registered'] },
    outputs: { webhookId: '/data/id' },
  },
  {
    operationId: 'createRegistration',
    body: { name: 'Ada Lovelace', email: '$inputs.email' },
    outputs: { registrationId: '/data/id' },
  },
  { operationId: 'listWebhookDeliveries', until: { pointer: '/data/0/status', value: 'success' } },
  {
    operationId: 'recordRevenueEvent',
    body: {
      event_id: '$inputs.orderId',
      type: 'purchase',
      email: '$inputs.email',
      amount_minor: 4900,
      currency: 'EUR',
      timestamp: '$inputs.purchasedAt',
      registration_id: '$steps.createRegistration.outputs.registrationId',
    },
    outputs: { revenueEventId: '/data/id' },
  },
];

const retriesMax = 60;
const retryAfterSeconds = 0.5;

function stepsOf(document: ApiDocument) {
  const madeBy = Object.fromEntries(
    steps.flatMap(({ operationId, outputs = {} }) => Object.keys(outputs).map((name) => [name, operationId])),
  );
  return steps.map((step) => {
    const operation = findOperation(document, step.operationId);
    const pathNames = [...operation.path.matchAll(/{(\w+)}/g)].map(([, name]) => name!);
    const parameters = pathNames.map((name) => ({
      name,
      in: 'path',
      value: `$steps.${madeBy[name]}.outputs.${name}`,
    }));
    const status = Object.keys(operation.responses).findLast((code) => code.startsWith('2'));
    return { ...step, operation, parameters, status: Number(status) };
  });
}

const name = 'Main flow of the webinar service';

export function arazzoOf(document: ApiDocument): string {
  const workflow = {
    workflowId: 'mainFlow',
    summary: name,
    description:
      'Publishes a webinar, subscribes to registrations, registers an attendee, waits for the webhook and reports a purchase.',
    inputs: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(inputs).map(([input, { description }]) => [input, { type: 'string', description }]),
      ),
      required: Object.keys(inputs),
    },
    parameters: [{ name: 'Authorization', in: 'header', value: 'Bearer {$inputs.key}' }],
    steps: stepsOf(document).map(({ operationId, operation, parameters, status, body, outputs, until }) => ({
      stepId: operationId,
      description: operation.summary,
      operationId,
      ...(parameters.length > 0 && { parameters }),
      ...(body && { requestBody: { contentType: 'application/json', payload: body } }),
      successCriteria: [
        { condition: `$statusCode == ${status}` },
        ...(until ? [{ condition: `$response.body#${until.pointer} == '${until.value}'` }] : []),
      ],
      ...(until && {
        onFailure: [
          { name: 'askAgain', type: 'retry', retryAfter: retryAfterSeconds, retryLimit: retriesMax },
        ],
      }),
      ...(outputs && {
        outputs: Object.fromEntries(
          Object.entries(outputs).map(([output, pointer]) => [output, `$response.body#${pointer}`]),
        ),
      }),
    })),
  };
  const file = {
    arazzo: '1.0.1',
    info: { title: name, version: document.info.version },
    sourceDescriptions: [{ name: 'api', url: '../../apps/api/openapi.json', type: 'openapi' }],
    workflows: [workflow],
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** `$steps.createWebinar.outputs.webinarId` and `$inputs.email`, in the language of Postman. */
const toVariables = (text: string): string =>
  text.replaceAll(/\$(?:inputs|steps\.\w+\.outputs)\.(\w+)/g, '{{$1}}');

export function postmanOf(document: ApiDocument): string {
  const items = stepsOf(document).map(({ operation, parameters, status, body, outputs = {}, until }) => {
    const { summary, method, path } = operation;
    const read = (pointer: string) => `pm.response.json()${pointer.replaceAll(/\/(\w+)/g, "?.['$1']")}`;
    const tests = [
      `pm.test('The status is ${status}', () => pm.response.to.have.status(${status}));`,
      ...Object.entries(outputs).map(
        ([output, pointer]) => `pm.collectionVariables.set('${output}', ${read(pointer)});`,
      ),
      ...(until
        ? [
            `const attempt = Number(pm.collectionVariables.get('attempt') ?? 0) + 1;`,
            `const isDone = ${read(until.pointer)} === '${until.value}';`,
            `pm.collectionVariables.set('attempt', isDone ? 0 : attempt);`,
            `if (!isDone && attempt < ${retriesMax}) {`,
            `  setTimeout(() => pm.execution.setNextRequest(pm.info.requestName), ${retryAfterSeconds * 1000});`,
            `} else pm.test('The status of the delivery is ${until.value}', () => pm.expect(isDone).to.equal(true));`,
          ]
        : []),
    ];
    const parts = path.slice(1).replaceAll(/{(\w+)}/g, ':$1');
    const raw = toVariables(JSON.stringify(body, null, 2) ?? '');
    return {
      name: summary,
      request: {
        method,
        header: body ? [{ key: 'Content-Type', value: 'application/json' }] : [],
        ...(body && { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } }),
        url: {
          raw: `{{baseUrl}}/api/v1/${parts}`,
          host: ['{{baseUrl}}'],
          path: ['api', 'v1', ...parts.split('/')],
          variable: parameters.map(({ name: key, value }) => ({ key, value: toVariables(value) })),
        },
      },
      event: [{ listen: 'test', script: { type: 'text/javascript', exec: tests } }],
    };
  });
  const variables = Object.entries(inputs).map(([key, { description, postman }]) => ({
    key,
    value: postman,
    description,
  }));
  const collection = {
    info: {
      name,
      description:
        'Run the requests from the first to the last. Set `baseUrl`, `key` and `receiverUrl` before.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [{ key: 'baseUrl', value: 'http://localhost:3000' }, ...variables],
    item: items,
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}
