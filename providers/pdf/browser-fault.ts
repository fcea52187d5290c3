// What ends a page whose browser died or did not answer. The page itself may be as good as any: another attempt may
// print it.

export class BrowserFault extends Error {}
