// The parts of the reference that handlers serve.
import type { Asset } from '../../http/reference/asset.ts';
import type { ViewerPage } from '../../http/reference/viewer.ts';
import type { GuideName } from './guides.ts';

/** The contents of an address that a newcomer tries first. */
export interface Facts {
  name: string;
  version: string;
  description: string;
  links: Record<string, string>;
}

/** The same for programs and for people. */
export interface Front {
  json: Facts;
  html: Asset;
}

export interface Reference {
  /** The OpenAPI document. */
  document: Asset;
  /** The page that shows the document. */
  page: () => ViewerPage;
  guides: Asset;
  guide: (name: GuideName) => Asset;
  /** Served at `/`. */
  front: Front;
  /** Served at `/v1`. */
  api: Front;
}
