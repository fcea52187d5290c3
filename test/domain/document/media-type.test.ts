// Which files are accepted, by their bytes: they must be what they claim to be, and neither programs nor web pages.
import test from 'ava';
import { acceptedType } from '../../../domain/document/media-type.ts';
import type { DomainError } from '../../../domain/errors.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

const judged = (contentType: string, head: string, fileName = 'file') => {
  try {
    return acceptedType({ fileName, contentType, head: bytes(head) });
  } catch (error) {
    return (error as DomainError).code;
  }
};

const PDF = '%PDF-1.7\n';
const PNG = '\x89PNG\r\n\x1a\n\0\0';
const JPEG = '\xff\xd8\xff\xe0\0\x10JFIF';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const REFUSED = 'unsupported_media_type';

test('a file of the declared type is taken, whatever parameters the type has', (t) => {
  t.is(judged('application/pdf', PDF), 'application/pdf');
  t.is(judged('Image/PNG', PNG), 'image/png');
  t.is(judged('image/jpeg', JPEG), 'image/jpeg');
  t.is(judged('image/heic', '\0\0\0\x18ftypheic'), 'image/heic');
  t.is(judged('video/mp4', '\0\0\0\x18ftypisom'), 'video/mp4');
  t.is(judged('audio/wav', 'RIFF\0\0\0\0WAVEfmt '), 'audio/wav');
  t.is(judged(DOCX, 'PK\x03\x04\x14\0[Content_Types].xml'), DOCX);
  t.is(judged('text/plain; charset=utf-8', 'The floor was wet.\r\n\tVery.'), 'text/plain');
  t.is(judged('text/csv', 'a,b\n1,2\n'), 'text/csv');
});

test('a file of another type than declared is refused', (t) => {
  t.is(judged('application/pdf', PNG), REFUSED);
  t.is(judged('image/png', JPEG), REFUSED);
  t.is(judged('application/pdf', ' %PDF-1.7'), REFUSED, 'something comes before it');
  t.is(judged('text/plain', PDF), REFUSED);
  t.is(judged('text/plain', 'a\0b'), REFUSED);
  t.is(judged('application/pdf', 'plain words'), REFUSED);
});

test('the bytes decide where the sender does not know the type', (t) => {
  t.is(judged('application/octet-stream', PDF), 'application/pdf');
  t.is(judged('', PNG), 'image/png');
  t.is(judged('application/octet-stream', 'The floor was wet.'), 'text/plain');
  t.is(judged('application/octet-stream', '\x01\x02\x03\x04'), 'application/octet-stream');
});

test('programs and pages are refused under every type, and types that we do not take', (t) => {
  const dangerous = [
    ...[
      'MZ\x90\0\x03\0',
      '\x7fELF\x02\x01',
      '\xcf\xfa\xed\xfe\x07',
      '\xca\xfe\xba\xbe\0\0',
      '\0asm\x01',
      '#!/bin/sh\n',
    ],
    ...[
      '<!DOCTYPE html><p>',
      '\n  <html>',
      '<script>alert(1)</script>',
      '<svg onload=1>',
      '<!-- x --><p>',
      '<?xml version',
    ],
    ...['\xef\xbb\xbf<html >', 'PK\x03\x04\x14\0\0\0META-INF/MANIFEST.MF'],
  ];
  for (const head of dangerous) {
    for (const type of ['application/octet-stream', 'text/plain', 'application/pdf', 'application/zip']) {
      t.is(judged(type, head), REFUSED, `${JSON.stringify(head)} as ${type}`);
    }
  }
  t.is(judged('text/plain', 'echo hi', 'run.BAT'), REFUSED);
  t.is(judged('text/plain', 'x', 'page.html'), REFUSED);
  t.is(judged('text/html', 'x'), REFUSED);
  t.is(judged('application/x-msdownload', 'x'), REFUSED);
  t.is(judged('text/plain', 'MZ is the code of Mozambique.'), 'text/plain');
  t.is(judged('message/rfc822', '<ada@example.com> wrote:'), 'message/rfc822');
});

test('the ending of the name is one of the formats that are taken, in every spelling; a name may have none', (t) => {
  const runs =
    'exe dll js mjs py pl rb ps1 docm xlsm dotm iso img cab reg pif cpl chm url lnk swf jar phtml xhtml svg xml';
  for (const ending of runs.split(' ')) {
    for (const name of [`a.${ending}`, `a.pdf.${ending.toUpperCase()}`, `a.${ending}. .`]) {
      t.is(judged('text/plain', 'x', name), REFUSED, name);
      t.is(judged('application/octet-stream', '\x01\x02', name), REFUSED, name);
    }
  }
  for (const name of [
    'a.TXT',
    'a.csv',
    'Letter of 3.2.',
    'Smith v. Jones',
    'version 1.2',
    'claim',
    '.txt',
    'a.exe.txt',
  ]) {
    t.is(judged('text/plain', 'x', name), 'text/plain', name);
  }
  t.is(judged('application/octet-stream', '\x01\x02', 'scan.bin'), 'application/octet-stream');
});
