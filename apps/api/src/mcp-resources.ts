// Documents that assistants can read: every event type, and the operations and error codes of the REST API.
import { eventCatalogue, restErrorCatalogue } from '@service/composition';
import { httpStatusByKind } from '@service/errors';
import type { Resource } from '@service/mcp';
import { listRoutes, type Route } from '@service/rest';
import type { AnyServiceRouter } from '@service/trpc';

interface ResourceOptions {
  router: AnyServiceRouter;
  /** The public URL of the API reference. */
  docsUrl: string;
}

export const createMcpResources = ({ router, docsUrl }: ResourceOptions): Resource[] => [
  {
    uri: 'service://event-types',
    name: 'event-types',
    title: 'Event types',
    description: 'Every event type that a rule can have as its trigger, with the params of the trigger.',
    mimeType: 'application/json',
    read: () =>
      JSON.stringify(
        eventCatalogue.map(({ type, title, description, paramsSchema }) => ({
          type,
          title,
          description,
          params: paramsSchema,
          webhook: `service://event-types/${type}`,
        })),
      ),
  },
  ...eventCatalogue.map(({ type, title, schema, sample }): Resource => ({
    uri: `service://event-types/${type}`,
    name: `event-types/${type}`,
    title: `Webhook: ${title}`,
    description: `The JSON Schema of the webhook body of ${type}, and a sample.`,
    mimeType: 'application/json',
    read: () => JSON.stringify({ type, schema, sample }),
  })),
  {
    uri: 'service://api-reference',
    name: 'api-reference',
    title: 'REST API reference',
    description: 'Every operation of the REST API with its scope, and every error code.',
    mimeType: 'text/markdown',
    read: () => referenceOf(listRoutes(router), docsUrl),
  },
];

function referenceOf(routes: readonly Route[], docsUrl: string): string {
  const byTag = Map.groupBy(routes, ({ operation }) => operation.tags?.[0] ?? 'Other');
  const sections = [...byTag].map(([tag, own]) => `## ${tag}\n\n${own.map(lineOf).join('\n')}`);
  const codes = Object.entries(restErrorCatalogue).map(
    ([code, { kind, message, remedy }]) =>
      `- ${httpStatusByKind[kind]} \`${code}\`: ${message} What to do: ${remedy}`,
  );
  const introduction = `# REST API\n\nPaths are below /api/v1. Schemas and examples: ${docsUrl}`;
  return [introduction, ...sections, `## Error codes\n\n${codes.join('\n')}`].join('\n\n');
}

const lineOf = ({ method, template, scope, operation }: Route): string =>
  `- \`${method} ${template}\` ${operation.summary} (${scope ?? 'any key'})`;
