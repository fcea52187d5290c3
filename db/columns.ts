// The kinds of table columns, so that an id, an amount or a date is stored the same way everywhere. Tenancy, keys,
// checks and indexes are not here: the migrations define them.
import { p } from '@mikro-orm/core';
import type { IdKind } from '../domain/ids.ts';
import { newId } from './ids.ts';
import { organizationOf } from './scope.ts';

/** TypeID primary key; generated when the row is first written if the caller gave none. */
export const idColumn = (kind: IdKind) =>
  p
    .text()
    .primary()
    .onCreate(() => newId(kind));

/** The organization a row belongs to; taken from the scope of the entity manager if the caller gave none. */
export const orgIdColumn = () =>
  p
    .text()
    .onCreate((_row, em) => organizationOf(em))
    .$type<string>();

/** Instant in UTC, to the millisecond. */
export const instant = () => p.datetime(3);

/** Day without a zone, as `YYYY-MM-DD`. */
export const businessDate = () => p.date();

/** Whole US cents. */
export const cents = () => p.bigint('number');

/** jsonb; in-place changes to the value are detected. */
export const json = <T>() => p.json<T>();

/** A text column holding one of a closed list of codes. */
export const code = <T extends string>() => p.text().$type<T>();

export const createdAtColumn = () => instant().onCreate(() => new Date());

export const updatedAtColumn = () =>
  instant()
    .onCreate(() => new Date())
    .onUpdate(() => new Date());

/** Counts a row's changes from 1; a write from an older version is refused. */
export const versionColumn = () => p.integer().version().default(1);
