// The e-signature providers whose events are understood.

export const ESIGN_PROVIDERS = ['generic', 'boldsign', 'docusign', 'documenso'] as const;

export type EsignProvider = (typeof ESIGN_PROVIDERS)[number];
