import type {
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  INodeProperties,
  INodeType,
  INodeTypeDescription,
} from 'n8n-workflow';
import { NodeApiError, NodeConnectionTypes, tryToParseDateTime } from 'n8n-workflow';
import { operations } from './api';
import { getWebinars, request, webinarProperty } from './request';

interface Field {
  name: string;
  in: string;
  label: string;
  description: string;
  type: string;
  isRequired: boolean;
  choices: string[];
}

type OperationId = keyof typeof operations;

const fieldsOf = (operationId: OperationId): Field[] =>
  operations[operationId].fields.filter(({ name }) => name !== 'webinarId');

function propertyOf({ name, label, description, type, choices }: Field): INodeProperties {
  const common = { displayName: label, name, description };
  if (choices.length > 0)
    return {
      ...common,
      type: 'options',
      options: choices.map((value) => ({ name: value, value })),
      default: choices[0],
    };
  if (type === 'map') return { ...common, type: 'json', default: '{}' };
  if (type === 'boolean') return { ...common, type: 'boolean', default: false };
  return { ...common, type: type === 'datetime' ? 'dateTime' : 'string', default: '' };
}

/** The required fields of an operation, and a collection of the others. */
function propertiesOf(operationId: OperationId): INodeProperties[] {
  const displayOptions = { show: { operation: [operationId] } };
  const fields = fieldsOf(operationId);
  const optional = fields.filter(({ isRequired }) => !isRequired).map(propertyOf);
  return [
    ...fields
      .filter(({ isRequired }) => isRequired)
      .map((field) => ({ ...propertyOf(field), required: true, displayOptions })),
    ...(optional.length > 0
      ? [
          {
            displayName: 'Additional Fields',
            name: 'additionalFields',
            type: 'collection' as const,
            placeholder: 'Add Field',
            default: {},
            displayOptions,
            options: optional,
          },
        ]
      : []),
  ];
}

export class WebinarService implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Webinar Service',
    name: 'webinarService',
    icon: { light: 'file:../../icons/webinar.svg', dark: 'file:../../icons/webinar.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: 'Register people for webinars, and find and cancel their registrations',
    defaults: { name: 'Webinar Service' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    usableAsTool: true,
    credentials: [{ name: 'webinarServiceApi', required: true }],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [{ name: 'Registration', value: 'registration' }],
        default: 'registration',
      },
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        displayOptions: { show: { resource: ['registration'] } },
        options: [
          {
            name: 'Cancel',
            value: 'cancelRegistration',
            action: 'Cancel a registration',
            description: 'Cancel a registration and free its place',
          },
          {
            name: 'Get Many',
            value: 'listRegistrations',
            action: 'Find registrations',
            description: 'Find the newest 25 registrations of a webinar, all or by e-mail address and status',
          },
          {
            name: 'Register',
            value: 'createRegistration',
            action: 'Register a person',
            description: 'Register a person for a session of a webinar',
          },
        ],
        default: 'createRegistration',
      },
      webinarProperty,
      ...(Object.keys(operations) as OperationId[]).flatMap(propertiesOf),
    ],
  };

  methods = { loadOptions: { getWebinars } };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = [];
    for (const [index] of this.getInputData().entries()) {
      try {
        const { data } = await callOperation(this, index);
        const records: IDataObject[] = [data].flat();
        results.push(...records.map((json) => ({ json, pairedItem: { item: index } })));
      } catch (error) {
        if (!this.continueOnFail()) throw new NodeApiError(this.getNode(), error, { itemIndex: index });
        results.push({ json: { error: error.message }, pairedItem: { item: index } });
      }
    }
    return [results];
  }
}

/** Calls the chosen operation with the fields of an item. */
function callOperation(functions: IExecuteFunctions, index: number) {
  const operationId = functions.getNodeParameter('operation', index) as OperationId;
  const { method, path } = operations[operationId];
  const fields = fieldsOf(operationId);
  const additional = functions.getNodeParameter('additionalFields', index, {}) as IDataObject;
  const valueOf = ({ name, type, isRequired }: Field): unknown => {
    const value = isRequired ? functions.getNodeParameter(name, index) : additional[name];
    if (value === undefined || value === '') return undefined;
    // The picker of n8n gives a time without an offset, in the time zone of the workflow.
    if (type === 'datetime') return tryToParseDateTime(value, functions.getTimezone()).toISO();
    return type === 'map' && typeof value === 'string' ? JSON.parse(value) : value;
  };
  const valuesOf = (place: string): IDataObject =>
    Object.fromEntries(
      fields
        .filter((field) => field.in === place)
        .map((field) => [field.name, valueOf(field)])
        .filter(([, value]) => value !== undefined),
    );
  const ids: IDataObject = {
    webinarId: functions.getNodeParameter('webinarId', index),
    ...valuesOf('path'),
  };
  return request(functions, {
    method: method as 'GET' | 'POST',
    path: path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(String(ids[name]))),
    qs: valuesOf('query'),
    ...(method !== 'GET' && { body: valuesOf('body') }),
  });
}
