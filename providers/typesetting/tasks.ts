// The tasks that a process hands to its typesetting threads.
import type { FieldMap } from '../../domain/document/field-map.ts';

interface Facts {
  facts: Record<string, unknown>;
}

export type TypesettingTask =
  | ({ kind: 'page'; template: string; field: string } & Facts)
  | ({ kind: 'try_page'; template: string; field: string } & Facts)
  | ({ kind: 'try_form'; form: Uint8Array; fields: FieldMap } & Facts)
  | ({ kind: 'fill_form'; form: Uint8Array; fields: FieldMap } & Facts)
  | { kind: 'mark'; pdf: Uint8Array; word: string };
