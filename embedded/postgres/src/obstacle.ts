/** Something outside of us is in the way. The message is a sentence for a person and says what to do about it. */
export class Obstacle extends Error {
  override name = 'Obstacle'
}

/** The code of a system error (`ENOENT`, `EACCES` …), or undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
