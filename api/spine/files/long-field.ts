// Extracts one long text from a JSON object as it arrives, so that the object is parsed without it and no step holds
// the whole body. Everything else is left to the JSON parser, which alone decides what is valid.

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const SPACES: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];
const EMPTY_TEXT = Buffer.from('""');
/** JSON strings may contain these characters only escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const CONTROL_CHARACTER = /[\x00-\x1f]/;
/** The length of a hexadecimal escape: `u` and four digits. */
const LONG_ESCAPE = 5;

/** What was found besides the text. */
export interface Remainder {
  /** The object with an empty text in its place. Truncated if longer than allowed. */
  json: Buffer;
  size: number;
  /** How often the field held a text. */
  found: number;
  /** Whether an escape or character in the text is not valid JSON. */
  isBroken: boolean;
}

/** Reads a body piece by piece. `field` is the name of the top-level text. */
export class LongField {
  readonly #field: string;
  readonly #most: number;
  readonly #kept: Buffer[] = [];
  #size = 0;
  #found = 0;
  #isBroken = false;
  #depth = 0;
  /** The top-level string being read, or read last, as written. */
  #name = '';
  #inString = false;
  #isEscaped = false;
  /** Whether the field's value comes next. */
  #isNext = false;
  #inText = false;
  /** The escape being read in the text, without its backslash; null outside one. */
  #escape: string | null = null;

  /** @param most bytes kept besides the text */
  constructor(field: string, most: number) {
    this.#field = field;
    this.#most = most;
  }

  /** Takes the next piece and returns its part of the text, one byte per character, unescaped. */
  take(piece: Buffer): string {
    let text = '';
    let at = 0;
    while (at < piece.length) {
      if (this.#inText) {
        const [more, next] = this.#readText(piece, at);
        text += more;
        at = next;
      } else {
        const next = this.#readRest(piece, at);
        this.#keep(piece.subarray(at, next));
        if (this.#inText) this.#keep(EMPTY_TEXT);
        at = this.#inText ? next + 1 : next;
      }
    }
    return text;
  }

  /** What was found besides the text, once all pieces have been taken. */
  end(): Remainder {
    const isBroken = this.#isBroken || this.#inText;
    return { json: Buffer.concat(this.#kept), size: this.#size, found: this.#found, isBroken };
  }

  /** Reads up to the end of the text, an escape, or the piece. */
  #readText(piece: Buffer, at: number): [text: string, next: number] {
    if (this.#escape !== null) return this.#readEscape(piece, at);
    const quote = piece.indexOf(QUOTE, at);
    const closing = quote === -1 ? piece.length : quote;
    const backslash = piece.subarray(at, closing).indexOf(BACKSLASH);
    const end = backslash === -1 ? closing : at + backslash;
    if (backslash !== -1) this.#escape = '';
    else if (quote !== -1) this.#inText = false;
    const text = piece.toString('latin1', at, end);
    this.#isBroken ||= CONTROL_CHARACTER.test(text);
    return [text, end + 1];
  }

  #readEscape(piece: Buffer, at: number): [text: string, next: number] {
    const sequence = `${this.#escape}${String.fromCharCode(piece[at] as number)}`;
    const isPart = sequence.startsWith('u') && sequence.length < LONG_ESCAPE;
    this.#escape = isPart ? sequence : null;
    return [isPart ? '' : this.#unescaped(sequence), at + 1];
  }

  #unescaped(sequence: string): string {
    try {
      return JSON.parse(`"\\${sequence}"`) as string;
    } catch {
      this.#isBroken = true;
      return '';
    }
  }

  /** Reads up to the opening quote of the text, or the end of the piece. */
  #readRest(piece: Buffer, from: number): number {
    for (let at = from; at < piece.length; at += 1) {
      const byte = piece[at] as number;
      if (this.#inString) this.#readString(byte);
      else if (this.#isNext && byte === QUOTE) {
        this.#isNext = false;
        this.#inText = true;
        this.#found += 1;
        return at;
      } else this.#readStructure(byte);
    }
    return piece.length;
  }

  #readString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      return;
    }
    // Fully escaped, the name has six characters for each.
    if (this.#depth === 1 && this.#name.length <= this.#field.length * 6) this.#name += String.fromCharCode(byte);
  }

  #readStructure(byte: number): void {
    if (SPACES.includes(byte)) return;
    this.#isNext = byte === COLON && this.#depth === 1 && this.#isField();
    if (byte === QUOTE) {
      this.#inString = true;
      if (this.#depth === 1) this.#name = '';
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#depth -= 1;
    else if (byte === COMMA && this.#depth === 1) this.#name = '';
  }

  #isField(): boolean {
    if (this.#name === this.#field) return true;
    if (!this.#name.includes('\\')) return false;
    try {
      return JSON.parse(`"${this.#name}"`) === this.#field;
    } catch {
      return false;
    }
  }

  #keep(piece: Buffer): void {
    this.#size += piece.length;
    // A copy, so that a few bytes do not keep the whole stream piece alive.
    if (this.#size <= this.#most) this.#kept.push(Buffer.from(piece));
  }
}
