/**
 * A small XML document as a tree. The parser reads no external resources and knows only XML's five entities; a
 * document type is refused, so no expanding entities can be declared. Decision 0135.
 */
import { SaxesParser } from 'saxes';
import { unreadable } from '../../domain/billing/bank/statement.ts';

const DEEPEST = 40;
const MOST_ELEMENTS = 200_000;
const MOST_ATTRIBUTES = 50_000;

/** An element; its name has no prefix. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  text: string;
}

/**
 * Reads a document, limiting the number of one kind of element.
 * @throws DomainError validation_failed on `file` for anything but plain XML
 */
export function readXml(text: string, counted: { element: string; most: number }): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open: XmlElement[] = [root];
  const count = { all: 0, counted: 0, attributes: 0 };
  const parser = new SaxesParser();
  parser.on('doctype', () => {
    throw unreadable('The file must not declare a document type.');
  });
  parser.on('error', () => {
    throw unreadable('The file is not well-formed XML.');
  });
  parser.on('attribute', () => {
    count.attributes += 1;
    if (count.attributes > MOST_ATTRIBUTES) throw unreadable(`The file has more than ${MOST_ATTRIBUTES} attributes.`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > DEEPEST) throw unreadable('The elements of the file are nested too deeply.');
    const element: XmlElement = { name: withoutPrefix(name), attributes: { ...attributes }, children: [], text: '' };
    count.all += 1;
    if (count.all > MOST_ELEMENTS) throw unreadable(`The file has more than ${MOST_ELEMENTS} elements.`);
    if (element.name === counted.element) count.counted += 1;
    if (count.counted > counted.most) throw unreadable(`A statement can have at most ${counted.most} entries.`);
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const add = (piece: string) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += piece;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(text.replace(/^\uFEFF/, '')).close();
  return root;
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The elements at a path under an element. */
export function allAt(element: XmlElement, ...path: readonly string[]): XmlElement[] {
  return path.reduce<XmlElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  );
}

/** The trimmed text at a path under an element; empty if there is none. */
export function textAt(element: XmlElement, ...path: readonly string[]): string {
  return allAt(element, ...path)[0]?.text.trim() ?? '';
}
