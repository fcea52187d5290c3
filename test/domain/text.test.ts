import test from 'ava';
import { escapedXml, plainFileName } from '../../domain/text.ts';

test('text in XML is no markup, is well formed, and has no character that XML forbids', (t) => {
  t.is(escapedXml(`<b a="1" c='2'>&</b>`), '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;&lt;/b&gt;');
  t.is(escapedXml('a\u0000b\uffffc\td\n'), 'a b c\td\n');
  t.is(escapedXml('cut \ud83d'), 'cut \ufffd');
  t.is(escapedXml('😀'), '😀');
});

test('the name of a file has no folders, one line, and nothing unseen', (t) => {
  t.is(plainFileName('loss run (1).pdf'), 'loss run (1).pdf');
  t.is(plainFileName('../../etc/passwd'), 'passwd');
  t.is(plainFileName('C:\\Users\\ada\\form.pdf'), 'form.pdf');
  t.is(plainFileName('a\u2028b\u202egpj.pdf'), 'a bgpj.pdf');
  for (const nothing of ['..', 'folder/', '../', '\u200b', '.']) t.is(plainFileName(nothing), 'document');
});
