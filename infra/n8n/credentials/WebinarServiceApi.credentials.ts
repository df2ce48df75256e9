import type {
  IAuthenticateGeneric,
  Icon,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from 'n8n-workflow';

export class WebinarServiceApi implements ICredentialType {
  name = 'webinarServiceApi';

  displayName = 'Webinar Service API';

  icon: Icon = { light: 'file:../icons/webinar.svg', dark: 'file:../icons/webinar.dark.svg' };

  documentationUrl = 'https://webinars.example.com/api/v1/docs';

  properties: INodeProperties[] = [
    {
      displayName: 'URL of the Service',
      name: 'baseUrl',
      type: 'string',
      default: '',
      placeholder: 'https://webinars.example.com',
      required: true,
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description:
        'A key with the scopes webinars:read, registrations:read, registrations:write, automations:read and automations:write',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  };

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl}}', url: '/api/v1/me' },
  };
}
