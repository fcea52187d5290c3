// Notifications on the devices of insureds. Contract 3.7 "Portal".

/** The platforms of devices. */
export const PUSH_PLATFORMS = ['ios', 'android', 'web'] as const;
export type PushPlatform = (typeof PUSH_PLATFORMS)[number];

/** The longest token of a device; those of push services have a few hundred characters. */
export const PUSH_TOKEN_MAX_CHARACTERS = 2_000;
