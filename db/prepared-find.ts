// Finds of the mapper as prepared statements: rows of one table whose columns equal, differ from or lie beyond given
// values, in an order, perhaps locked. Values never shape the text, so that few statements serve every find.
import { type EntityMetadata, JsonType, LockMode } from '@mikro-orm/core';
import { type PreparedStatement, statementOf } from './prepared.ts';
import { columnOf, tableOf } from './prepared-writes.ts';

/** What a find asks for besides its condition. */
export interface FindShape {
  fields?: unknown;
  orderBy?: unknown;
  limit?: number | undefined;
  lockMode?: LockMode | undefined;
}

/** Other options, by which the mapper would build another statement. */
const OTHERS = [
  ...['exclude', 'offset', 'first', 'last', 'before', 'after', 'groupBy', 'having', 'unionWhere'],
  ...['lockTableAliases', 'indexHint', 'collation', 'comments', 'hintComments'],
];

const COMPARISONS: Readonly<Record<string, string>> = {
  ...{ $eq: '= $', $ne: '<> $', $gt: '> $', $gte: '>= $', $lt: '< $', $lte: '<= $' },
  ...{ $in: '= any($)', $nin: '<> all($)' },
};

const LOCKS: Readonly<Partial<Record<LockMode, string>>> = {
  [LockMode.NONE]: '',
  [LockMode.PESSIMISTIC_READ]: ' for share',
  [LockMode.PESSIMISTIC_WRITE]: ' for update',
  [LockMode.PESSIMISTIC_PARTIAL_WRITE]: ' for update skip locked',
};

/** Returns the statement of a find and its values; null if it takes one that only the mapper can build. */
export function preparedFind(
  meta: EntityMetadata,
  where: unknown,
  shape: FindShape,
): { statement: PreparedStatement; values: unknown[] } | null {
  const values: unknown[] = [];
  const conditions = conditionsOf(meta, where, values);
  const order = orderOf(meta, shape.orderBy);
  const lock = LOCKS[shape.lockMode ?? LockMode.NONE];
  if (conditions === null || order === null || lock === undefined || isUnusual(meta, shape)) return null;
  const end = [
    conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '',
    order.length > 0 ? ` order by ${order.join(', ')}` : '',
    // Not as a value: a plan depends on it.
    shape.limit === undefined ? '' : ` limit ${Math.trunc(shape.limit)}`,
  ].join('');
  const text = `from ${tableOf(meta)}${end}${lock}`;
  const wanted = Array.isArray(shape.fields) ? [...meta.primaryKeys, ...shape.fields] : null;
  // With `*`, the statement would break when a migration adds a column.
  const columns = () =>
    meta.props.flatMap((property) =>
      wanted === null || wanted.includes(property.name) ? [`"${columnOf(property)}"`] : [],
    );
  const statement = statementOf(`find ${wanted ?? '*'} ${text}`, () => `select ${columns().join(', ')} ${text}`);
  return { statement, values };
}

function isUnusual(meta: EntityMetadata, { fields, ...others }: FindShape): boolean {
  const areKnown = !Array.isArray(fields) || fields.every((name) => meta.properties[String(name)] !== undefined);
  const isOther = OTHERS.some((name) => (others as Record<string, unknown>)[name] !== undefined);
  return !areKnown || isOther || meta.relations.length > 0 || meta.virtual === true;
}

/** Conditions that all must hold, adding their values; null if there are others. */
function conditionsOf(meta: EntityMetadata, where: unknown, values: unknown[]): string[] | null {
  if (typeof where !== 'object' || where === null || Object.getOwnPropertySymbols(where).length > 0) return null;
  const parts = Object.entries(where).map(([key, value]) => {
    if (key === '$and' && Array.isArray(value)) return joined(value.map((part) => conditionsOf(meta, part, values)));
    const property = meta.properties[key];
    if (property?.kind !== 'scalar' || property.customType instanceof JsonType) return null;
    return joined(comparisonsOf(value).map(([name, operand]) => compared(columnOf(property), name, operand, values)));
  });
  return joined(parts);
}

function comparisonsOf(value: unknown): [string, unknown][] {
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? Object.entries(value) : [['$eq', value]];
}

function compared(column: string, name: string, operand: unknown, values: unknown[]): string[] | null {
  const comparison = COMPARISONS[name];
  if (operand === null && name === '$eq') return [`"${column}" is null`];
  if (operand === null && name === '$ne') return [`"${column}" is not null`];
  const isList = name === '$in' || name === '$nin';
  const operands = isList && Array.isArray(operand) ? operand : [operand];
  if (comparison === undefined || isList !== Array.isArray(operand) || !operands.every(isValue)) return null;
  values.push(operand);
  return [`"${column}" ${comparison.replace('$', `$${values.length}`)}`];
}

function isValue(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) || value instanceof Date;
}

function orderOf(meta: EntityMetadata, orderBy: unknown): string[] | null {
  const orders = (Array.isArray(orderBy) ? orderBy : [orderBy ?? {}]).flatMap((order) => Object.entries(order));
  const parts = orders.map(([name, direction]) => {
    const property = meta.properties[name];
    if (property?.kind !== 'scalar' || !['asc', 'desc'].includes(String(direction).toLowerCase())) return null;
    return [`"${columnOf(property)}" ${String(direction).toLowerCase()}`];
  });
  return joined(parts);
}

/** All parts together; null if one of them is. */
function joined(parts: readonly (readonly string[] | null)[]): string[] | null {
  return parts.every((part) => part !== null) ? parts.flat() : null;
}
