// What a permission check can be about: the rows that paths name by `:id`, with the resources that decide the
// operations themselves.
import type { Action } from '../../../domain/permissions.ts';
import type { Resource } from '../../spine/access.ts';
import type { Route } from '../../spine/route.ts';

/** A kind of row under one action; operations that share both are decided alike. */
export interface AccessSubject {
  prefixes: readonly string[];
  action: Action;
  resource: Resource<{ id: string }>;
}

/** Lists the rows of a route table, in its order. */
export function subjectsOf(routes: readonly Route[]): readonly AccessSubject[] {
  return routes.flatMap(({ access, params }) => {
    if (access.kind !== 'organization' || access.resource === null) return [];
    return [{ prefixes: prefixesOf(params), action: access.action, resource: access.resource }];
  });
}

/**
 * The subject of an action. An action that no operation on the row has, such as `claim:read_phi`, is still decided by
 * the row if it is named after its kind. Undefined if the action is about other rows.
 */
export function subjectOf(subjects: readonly AccessSubject[], action: Action): AccessSubject | undefined {
  return (
    subjects.find((subject) => subject.action === action) ??
    subjects.find(({ resource }) => action.startsWith(`${resource.name}:`))
  );
}

/** The names of the row kinds, without duplicates. */
export function nounsOf(subjects: readonly AccessSubject[]): string[] {
  return [...new Set(subjects.map(nounOf))];
}

export function nounOf({ resource }: AccessSubject): string {
  return resource.name.replaceAll('_', ' ').replace(/^da /, 'authority ').replace(/^api /, 'API ');
}

/** The id prefixes that `:id` accepts, from its schema's pattern. */
function prefixesOf(params: Route['params']): string[] {
  const pattern = params?.shape.id?.meta()?.pattern ?? '';
  return /^\^\(?([a-z|]+)\)?_/.exec(pattern)?.[1]?.split('|') ?? [];
}
