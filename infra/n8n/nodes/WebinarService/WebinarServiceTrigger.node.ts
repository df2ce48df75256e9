import { createHmac, timingSafeEqual } from 'node:crypto';
import type {
  IHookFunctions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';
import { NodeApiError, NodeConnectionTypes } from 'n8n-workflow';
import { eventTypes } from './api';
import { getWebinars, request, webinarProperty } from './request';

/** The subscription of an active workflow, as n8n keeps it with the workflow. */
interface Kept {
  webhookId?: string;
  webinarId?: string;
  secret?: string;
}

const keptOf = (functions: IHookFunctions | IWebhookFunctions): Kept =>
  functions.getWorkflowStaticData('node');

const isMissing = (error: { httpCode?: string; response?: { status?: number } }): boolean =>
  error.httpCode === '404' || error.response?.status === 404;

export class WebinarServiceTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Webinar Service Trigger',
    name: 'webinarServiceTrigger',
    icon: { light: 'file:../../icons/webinar.svg', dark: 'file:../../icons/webinar.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["eventTypes"].join(", ")}}',
    description: 'Starts the workflow when people register for, join or leave a webinar',
    defaults: { name: 'Webinar Service Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'webinarServiceApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      webinarProperty,
      {
        displayName: 'Events',
        name: 'eventTypes',
        type: 'multiOptions',
        options: eventTypes.map(({ type, title, description }) => ({
          name: title,
          value: type,
          description,
        })),
        default: [],
        required: true,
      },
    ],
  };

  methods = { loadOptions: { getWebinars } };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId, webinarId } = keptOf(this);
        if (webhookId === undefined) return false;
        try {
          const { data } = await request(this, { path: `/webinars/${webinarId}/webhooks/${webhookId}` });
          return data.url === this.getNodeWebhookUrl('default');
        } catch (error) {
          if (isMissing(error)) return false;
          throw new NodeApiError(this.getNode(), error);
        }
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const webinarId = this.getNodeParameter('webinarId') as string;
        const { data } = await request(this, {
          method: 'POST',
          path: `/webinars/${encodeURIComponent(webinarId)}/webhooks`,
          body: {
            url: this.getNodeWebhookUrl('default'),
            description: 'n8n',
            eventTypes: this.getNodeParameter('eventTypes'),
          },
        });
        Object.assign(keptOf(this), { webhookId: data.id, webinarId, secret: data.secret });
        return true;
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const kept = keptOf(this);
        if (kept.webhookId === undefined) return true;
        try {
          await request(this, {
            method: 'DELETE',
            path: `/webinars/${kept.webinarId}/webhooks/${kept.webhookId}`,
          });
        } catch (error) {
          if (!isMissing(error)) throw new NodeApiError(this.getNode(), error);
        }
        delete kept.webhookId;
        delete kept.webinarId;
        delete kept.secret;
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    if (!isSigned(this)) {
      this.getResponseObject().status(401).end();
      return { noWebhookResponse: true };
    }
    return { workflowData: [this.helpers.returnJsonArray(this.getBodyData())] };
  }
}

/** True if the webhook was signed with the secret of this subscription. */
function isSigned(functions: IWebhookFunctions): boolean {
  const { secret } = keptOf(functions);
  const { rawBody, headers } = functions.getRequestObject();
  if (secret === undefined || rawBody === undefined) return false;
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`);
  const sent = Buffer.from(String(headers['x-service-signature'] ?? ''));
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
