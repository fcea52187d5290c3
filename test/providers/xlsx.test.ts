// Spreadsheets: the same rows give the same bytes, text stays text, and a full sheet is followed by another.
import test from 'ava';
import { strFromU8, unzipSync } from 'fflate';
import { type XlsxCell, XlsxWriter } from '../../providers/files/xlsx.ts';

const COLUMNS = [
  { name: 'insured', isMoney: false },
  { name: 'premium', isMoney: true },
  { name: 'denied', isMoney: false },
];

async function written(rows: readonly XlsxCell[][], { page = rows.length || 1, rowsOfASheet = 100 } = {}) {
  const chunks: Uint8Array[] = [];
  const write = async (bytes: Uint8Array) => void chunks.push(bytes);
  const writer = new XlsxWriter({ sheet: 'premium & risk', columns: COLUMNS, write, rowsOfASheet });
  for (let at = 0; at < rows.length; at += page) await writer.rows(rows.slice(at, at + page));
  await writer.end();
  return Buffer.concat(chunks);
}

function parts(bytes: Uint8Array): Record<string, string> {
  return Object.fromEntries(Object.entries(unzipSync(bytes)).map(([path, content]) => [path, strFromU8(content)]));
}

test('the same rows give the same bytes, and a cell is never a formula', async (t) => {
  const rows = [
    ['=1+1', 3990, false],
    ['A <b> & "c" \u0007', -12.5, null],
  ];
  const bytes = await written(rows);
  t.deepEqual(await written(rows), bytes);
  const { 'xl/worksheets/sheet1.xml': sheet = '', 'xl/workbook.xml': book = '' } = parts(bytes);
  t.regex(
    sheet,
    /<c r="A2" t="inlineStr"><is><t xml:space="preserve">=1\+1<\/t><\/is><\/c><c r="B2" s="2"><v>3990<\/v>/,
  );
  t.regex(sheet, /<c r="C2" t="b"><v>0<\/v><\/c>/);
  t.regex(sheet, /A &lt;b&gt; &amp; &quot;c&quot; {2}<\/t>.*<c r="B3" s="2"><v>-12.5<\/v><\/c><\/row>/);
  t.notRegex(sheet, /<f>/);
  t.regex(book, /<sheet name="premium &amp; risk" sheetId="1" r:id="rId1"\/>/);
});

test('a full sheet is followed by another one with the same head, and an empty table has its head', async (t) => {
  const rows = Array.from({ length: 5 }, (_, at) => [`row ${at}`, at, null]);
  const found = parts(await written(rows, { rowsOfASheet: 2, page: 3 }));
  const sheets = [1, 2, 3].map((n) => found[`xl/worksheets/sheet${n}.xml`] ?? '');
  t.deepEqual(
    sheets.map((sheet) => [...sheet.matchAll(/row \d/g)].map(([text]) => text)),
    [['row 0', 'row 1'], ['row 2', 'row 3'], ['row 4']],
  );
  for (const sheet of sheets) t.regex(sheet, /<row r="1">.*insured.*premium.*denied.*<\/row>/);
  t.is([...(found['xl/workbook.xml'] ?? '').matchAll(/<sheet /g)].length, 3);
  t.is([...(found['[Content_Types].xml'] ?? '').matchAll(/worksheet\+xml/g)].length, 3);
  t.regex(parts(await written([]))['xl/worksheets/sheet1.xml'] ?? '', /insured.*<\/sheetData><\/worksheet>$/);
});
