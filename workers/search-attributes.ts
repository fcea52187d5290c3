/**
 * Registers the search attributes that workflows carry. It must be done before the first workflow runs: an unknown
 * attribute fails a workflow task again and again.
 */
import type { NativeConnection } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.ts';

/** `INDEXED_VALUE_TYPE_KEYWORD` of the server's protocol. */
const KEYWORD = 2;

/**
 * Adds what is missing. The server accepts a second registration with another type without a word, so types are
 * compared first.
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
