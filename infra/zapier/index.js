import { createHmac, timingSafeEqual } from 'node:crypto';
import { createRequire } from 'node:module';
import zapier from 'zapier-platform-core';
import { eventTypes, operations } from './api.js';

const { version } = createRequire(import.meta.url)('./package.json');

/** Calls the service. `path` is below `/api/v1`. */
async function call(z, bundle, { path, ...options }) {
  const url = `${bundle.authData.baseUrl.replace(/\/+$/, '')}/api/v1${path}`;
  const { data } = await z.request({ ...options, url });
  return data;
}

/** Calls an operation with the fields that a person has filled in. */
const performOf =
  ({ method, path, fields }) =>
  async (z, bundle) => {
    const valuesOf = (place) =>
      Object.fromEntries(
        fields
          .filter(({ name, in: where }) => where === place && isFilled(bundle.inputData[name]))
          .map(({ name }) => [name, bundle.inputData[name]]),
      );
    const ids = valuesOf('path');
    const { data } = await call(z, bundle, {
      method,
      path: path.replaceAll(/{(\w+)}/g, (_, name) => encodeURIComponent(ids[name])),
      params: valuesOf('query'),
      ...(method !== 'GET' && { body: valuesOf('body') }),
    });
    return data;
  };

const isFilled = (value) => value !== undefined && value !== null && value !== '';

const webinarField = {
  key: 'webinarId',
  label: 'Webinar',
  type: 'string',
  required: true,
  dynamic: 'webinar.id.title',
};

const inputFieldOf = ({ name, label, description, type, isRequired, choices }) =>
  name === 'webinarId'
    ? webinarField
    : {
        key: name,
        label,
        helpText: description,
        required: isRequired,
        ...(type === 'map' ? { dict: true } : { type }),
        ...(choices.length > 0 && { choices }),
      };

const inputFieldsOf = ({ fields }) => fields.map(inputFieldOf);

/** The webhook arrives with headers such as `Http-X-Service-Signature`. */
const headerOf = ({ headers }, wanted) =>
  Object.entries(headers).find(([name]) => name.toLowerCase().replace(/^http-/, '') === wanted)?.[1];

/** Throws unless the webhook was signed with the secret of this subscription. */
function verifySignature(z, { rawRequest, subscribeData }) {
  const hash = createHmac('sha256', subscribeData.secret).update(rawRequest.content).digest('hex');
  const expected = Buffer.from(`sha256=${hash}`);
  const sent = Buffer.from(headerOf(rawRequest, 'x-service-signature') ?? '');
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected))
    throw new z.errors.Error('The signature is not that of the webhook.', 'InvalidSignature');
}

const triggerOf = ({ type, title, description, sample }) => ({
  key: type,
  noun: title,
  display: { label: title, description: `Triggers on this event: ${description}` },
  operation: {
    type: 'hook',
    inputFields: [webinarField],
    async performSubscribe(z, bundle) {
      const { data } = await call(z, bundle, {
        method: 'POST',
        path: `/webinars/${encodeURIComponent(bundle.inputData.webinarId)}/webhooks`,
        body: { url: bundle.targetUrl, description: 'Zapier', eventTypes: [type] },
      });
      return { id: data.id, webinarId: data.webinarId, secret: data.secret };
    },
    async performUnsubscribe(z, bundle) {
      const { id, webinarId } = bundle.subscribeData;
      await call(z, bundle, {
        method: 'DELETE',
        path: `/webinars/${webinarId}/webhooks/${id}`,
        acceptsMissing: true,
      });
      return {};
    },
    perform(z, bundle) {
      verifySignature(z, bundle);
      return [{ id: headerOf(bundle.rawRequest, 'webhook-id'), ...bundle.cleanedRequest }];
    },
    async performList(z, bundle) {
      const { data } = await call(z, bundle, { path: '/event-types' });
      return [{ id: 'sample', ...data.find((one) => one.type === type).sample }];
    },
    sample: { id: 'sample', ...sample },
  },
});

/** The dropdown of webinars. A page is reached over the earlier ones: a cursor that Zapier keeps cannot be tested without an account. */
const webinarTrigger = {
  key: 'webinar',
  noun: 'Webinar',
  display: { label: 'List of Webinars', description: 'Fills the dropdown of webinars.', hidden: true },
  operation: {
    type: 'polling',
    canPaginate: true,
    async perform(z, bundle) {
      let cursor;
      for (let page = 0; ; page++) {
        const params = { limit: 100, ...(cursor && { cursor }) };
        const { data, pagination } = await call(z, bundle, { path: '/webinars', params });
        if (page === (bundle.meta.page ?? 0)) return data.map(({ id, title }) => ({ id, title }));
        if (!pagination.hasMore) return [];
        cursor = pagination.nextCursor;
      }
    },
    sample: { id: operations.listRegistrations.sample.webinarId, title: 'Product launch' },
  },
};

const { createRegistration, cancelRegistration, listRegistrations } = operations;

const createOf = (key, label, operation) => ({
  key,
  noun: 'Registration',
  display: { label, description: operation.description },
  operation: {
    inputFields: inputFieldsOf(operation),
    perform: performOf(operation),
    sample: operation.sample,
  },
});

/** The errors of the service, with its sentence for people. */
function throwServiceErrors(response, z) {
  const { status, request, data } = response;
  if (status < 400 || (status === 404 && request.acceptsMissing)) {
    response.skipThrowForStatus = true;
    return response;
  }
  const details = (data?.issues ?? []).map(({ path, message }) => `${path}: ${message}`);
  const message = [data?.message ?? `The service answered ${status}.`, ...details].join(' ');
  throw new z.errors.Error(message, data?.code ?? 'UnknownError', status);
}

function addKey(request, _z, bundle) {
  request.headers.Authorization = `Bearer ${bundle.authData.apiKey}`;
  return request;
}

export default {
  version,
  platformVersion: zapier.version,
  authentication: {
    type: 'custom',
    fields: [
      {
        key: 'baseUrl',
        label: 'URL of the Service',
        helpText: 'Such as https://webinars.example.com',
        required: true,
      },
      {
        key: 'apiKey',
        label: 'API Key',
        type: 'password',
        helpText:
          'A key with the scopes webinars:read, registrations:read, registrations:write and automations:write.',
        required: true,
      },
    ],
    test: async (z, bundle) => (await call(z, bundle, { path: '/me' })).data,
    connectionLabel: '{{account.name}}',
  },
  beforeRequest: [addKey],
  afterResponse: [throwServiceErrors],
  triggers: Object.fromEntries([webinarTrigger, ...eventTypes.map(triggerOf)].map((one) => [one.key, one])),
  creates: {
    register: createOf('register', 'Register a Person', createRegistration),
    cancelRegistration: createOf('cancelRegistration', 'Cancel a Registration', cancelRegistration),
  },
  searches: {
    findRegistration: {
      key: 'findRegistration',
      noun: 'Registration',
      display: { label: 'Find a Registration', description: 'Finds the registrations of a webinar.' },
      operation: {
        inputFields: inputFieldsOf(listRegistrations),
        perform: performOf(listRegistrations),
        sample: listRegistrations.sample,
      },
    },
  },
};
