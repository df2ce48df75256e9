// Generated clients need names for the records of answers. The names are derived from the operations.
import { json, type JsonSchema, type OpenApiDocument, type Operation, type Response } from './document.ts';
import { mapSubschemas } from './tidy-schema.ts';

/**
 * Moves the records of answers to the components. The record of `getWebinar` is `Webinar`. The items of `listSessions` have a name
 * of their own only if they differ from the record of `getSession`. Other records are named after their operation, such as
 * `CreateWebhookResult`. A schema that a module has named keeps its name.
 */
export function nameRecords(document: OpenApiDocument): void {
  const { schemas } = document.components;
  const nameBySchema = new Map(
    Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]),
  );

  const give = (record: JsonSchema | undefined, name: string): void => {
    if (!record?.properties || nameBySchema.has(JSON.stringify(record))) return;
    const free = name in schemas ? `${name}Summary` : name;
    schemas[free] = record;
    nameBySchema.set(JSON.stringify(record), free);
  };
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const answers = operations.flatMap((operation) =>
    answersOf(operation).map((data) => ({ operation, data })),
  );
  for (const kind of ['get', 'list', ''] as const) {
    for (const { operation, data } of answers) {
      const { operationId = '' } = operation;
      if (operationId.startsWith(kind)) give(data.items ?? data, nameOf(operationId));
    }
  }

  const refer = (schema: JsonSchema): JsonSchema => {
    const name = schema.properties && nameBySchema.get(JSON.stringify(schema));
    return name ? { $ref: `#/components/schemas/${name}` } : mapSubschemas(schema, refer);
  };
  for (const operation of operations) {
    for (const media of mediaOf(operation)) media.schema = refer(media.schema!);
  }
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = mapSubschemas(schema, refer);
}

/** The media types of an operation's own answers. Shared answers have names already. */
const mediaOf = ({ responses }: Operation) =>
  Object.values(responses).flatMap((response) => (response as Response).content?.[json] ?? []);

const answersOf = (operation: Operation): JsonSchema[] =>
  mediaOf(operation).flatMap(({ schema }) => {
    const data = schema?.properties?.['data'];
    return data ? [data] : [];
  });

function nameOf(operationId: string): string {
  const [, verb, noun] = /^(get|list)?(.*)$/.exec(operationId)!;
  if (verb === 'get') return noun!;
  if (verb === 'list') return noun!.replace(/ies$/, 'y').replace(/s$/, '');
  return `${noun![0]!.toUpperCase()}${noun!.slice(1)}Result`;
}
