/**
 * Registers the workflows' search attributes. It must happen before the first workflow runs: an unknown attribute
 * fails its workflow task forever.
 */
import type { NativeConnection } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../contracts/machinery/search-attributes.ts';

/** `INDEXED_VALUE_TYPE_KEYWORD` in the server's protocol. */
const KEYWORD = 2;

/**
 * Adds the missing ones. The server silently accepts a second registration with another type, so types are compared
 * first.
 * @throws Error when an attribute exists with another type
 */
export async function registerSearchAttributes(connection: NativeConnection, namespace: string): Promise<void> {
  const names = Object.values(SEARCH_ATTRIBUTES).map((key) => key.name);
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const mistyped = names.filter((name) => (customAttributes?.[name] ?? KEYWORD) !== KEYWORD);
  if (mistyped.length > 0) {
    throw new Error(
      `Temporal knows the search attributes ${mistyped.join(', ')} with another type than Keyword: remove them first`,
    );
  }
  const missing = names.filter((name) => customAttributes?.[name] === undefined);
  if (missing.length === 0) return;
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])),
  });
}
