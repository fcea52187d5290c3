// A reason why the platform cannot start, told in one sentence that says what to do.

export class StartError extends Error {
  override readonly name = 'StartError';
}
