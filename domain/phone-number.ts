// A telephone number as people write it: international or US format, with or without an extension. Pure.

const EXTENSION = /,? ?(?:[xX#]|[eE][xX][tT](?:\.|ension)?) ?\d{1,6}/;

/** 7 to 15 digits, not counting an extension. */
export const PHONE_NUMBER = new RegExp(`^\\(?\\+?(?:[ ()./-]*\\d){7,15}[ ()./-]*(?:${EXTENSION.source})?$`);
