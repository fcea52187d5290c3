// The supported e-signature providers.

export const ESIGN_PROVIDERS = ['generic', 'boldsign', 'docusign', 'documenso'] as const;

export type EsignProvider = (typeof ESIGN_PROVIDERS)[number];
