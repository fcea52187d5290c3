// Which of two response forms a caller prefers. Weights are ignored: clients list what they prefer first.

/** Whether `Accept` names a type before JSON and before anything else that would include JSON. */
export function prefers(accept: string | undefined, type: string): boolean {
  const types = (accept ?? '').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase());
  const place = types.indexOf(type);
  return place !== -1 && types.every((each, index) => index >= place || each !== 'application/json');
}
