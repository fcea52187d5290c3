// Makes a recorded exchange the same on every day and machine: ids, days, instants, secrets and addresses.

/** The day on which every example takes place. */
const DAY = '2026-03-01';
const TIME = 'T12:00:00.000Z';
const DAY_MS = 86_400_000;
/** Dates further than this from the recording were hard-coded in the test: they stay. */
const [MOST_DAYS_AGO, MOST_DAYS_AHEAD] = [800, 1_200];

const ID = /\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const ALPHABET = 'abcdefghjkmnpqrstvwxyz';

const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/(?<=\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?Z/g, TIME],
  // A calendar folds its lines, even within ids, and its dates have no hyphens.
  [/\\r\\n /g, ''],
  [/\b\d{8}T\d{6}Z/g, '20260301T120000Z'],
  [/(?<day>DTSTART;VALUE=DATE:)\d{8}/g, '$<day>20260331'],
  [/(?<day>DTEND;VALUE=DATE:)\d{8}/g, '$<day>20260401'],
  [/\b1[789]\d{8}\b/g, String(Date.parse(`${DAY}${TIME}`) / 1000)],
  [/(nextCursor\\?":\\?")[\w-]+/g, '$1cGFnZSAy'],
  [/\bapi_secret-[\w-]+/g, 'the-machine-secret'],
  [/\busr_test_/g, 'usr_'],
  [/\/downloads\/[\w.-]+/g, '/downloads/signed'],
  [/\/calendars\/[\w.-]+/g, '/calendars/signed.ics'],
  [/\bevt_[0-9a-f]{24}\b/g, 'evt_3Nv8example'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'header.claims.signature'],
  [/\bsvck_(live|test)_\w+/g, 'svck_$1_shown_once'],
  [/\b(pi|ch|re|evt|pm|cs)_(?=\w*\d)\w{10,}_secret_\w+/g, '$1_3Nv8example_secret_shown'],
  [/\b(pi|ch|re|pm|cs|po|du|txn)_(?=\w*\d)\w{8,}/g, '$1_3Nv8example'],
  [/\b[0-9a-f]{64}\b/g, '5e884898da28047151d0e56f8dc6292773603d0d6aabbd62a11ef721d1542d8'.padEnd(64, '0')],
  [/\b(http|ws):\/\/(127\.0\.0\.1|localhost):\d+/g, '$1://localhost:8787'],
];

/** An exchange's text as it would have been on the examples' date. @param today the day of the recording */
export function steady(text: string, today: string): string {
  const shift = Date.parse(DAY) - Date.parse(today);
  const replaced = REPLACEMENTS.reduce((whole, [pattern, by]) => whole.replaceAll(pattern, by), text);
  return numbered(numbered(replaced, ID, idOf), UUID, uuidOf).replaceAll(/\b\d{4}-\d\d-\d\d(?!\d)/g, (date) =>
    dayOf(date, today, shift),
  );
}

/** Equal ids get equal replacements, different ids different ones. */
function numbered(text: string, pattern: RegExp, nameOf: (place: number, prefix: string) => string): string {
  const places = new Map<string, number>();
  const counts = new Map<string, number>();
  return text.replaceAll(pattern, (id, prefix: string | number) => {
    const kind = typeof prefix === 'string' ? prefix : '';
    const next = counts.get(kind) ?? 0;
    if (!places.has(id)) counts.set(kind, next + 1);
    places.set(id, places.get(id) ?? next);
    return nameOf(places.get(id) ?? next, kind);
  });
}

const idOf = (place: number, prefix: string) =>
  `${prefix}_01jz8k3v5ne0rbx4q2mw7t6y${ALPHABET[Math.floor(place / ALPHABET.length) + 6]}${ALPHABET[place % ALPHABET.length]}`;

const uuidOf = (place: number) => `0197f43d-8e00-7000-8000-${String(place + 1).padStart(12, '0')}`;

function dayOf(date: string, today: string, shift: number): string {
  const days = (Date.parse(date) - Date.parse(today)) / DAY_MS;
  if (Number.isNaN(days) || days < -MOST_DAYS_AGO || days > MOST_DAYS_AHEAD) return date;
  return new Date(Date.parse(date) + shift).toISOString().slice(0, 10);
}
