import type {
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  INodeProperties,
  INodePropertyOptions,
} from 'n8n-workflow';

type Functions = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

/** Calls the service. `path` is below `/api/v1`. */
export async function request(
  functions: Functions,
  { path, ...options }: Omit<IHttpRequestOptions, 'url'> & { path: string },
) {
  const { baseUrl } = await functions.getCredentials('webinarServiceApi');
  const url = `${String(baseUrl).replace(/\/+$/, '')}/api/v1${path}`;
  return await functions.helpers.httpRequestWithAuthentication.call(functions, 'webinarServiceApi', {
    ...options,
    url,
    json: true,
  });
}

/** The newest 100 webinars. The id of an older one can be given as an expression. */
export async function getWebinars(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const { data } = await request(this, { path: '/webinars', qs: { limit: 100 } });
  return data.map(({ id, title }: { id: string; title: string }) => ({ name: title, value: id }));
}

export const webinarProperty: INodeProperties = {
  displayName: 'Webinar Name or ID',
  name: 'webinarId',
  type: 'options',
  typeOptions: { loadOptionsMethod: 'getWebinars' },
  default: '',
  required: true,
  description:
    'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
};
