import { json, type MediaType, type OpenApiDocument, type Operation, type Response } from './document.ts';
import type { Sampler } from './sample.ts';

/** Gives every body of an operation that has no example one that is made from its schema. */
export function addExamples(document: OpenApiDocument, sample: Sampler): void {
  const add = (media: MediaType | undefined, owner?: string): void => {
    if (media?.schema && !media.examples) media.example = sample(media.schema, owner);
  };
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    add(operation.requestBody?.content[json], operation.operationId);
    for (const response of answersOf(operation)) add(response.content?.[json]);
  }
}

/** Not those it shares with others, which have their examples. */
const answersOf = ({ responses }: Operation): Response[] =>
  Object.values(responses).filter((response) => !('$ref' in response)) as Response[];
