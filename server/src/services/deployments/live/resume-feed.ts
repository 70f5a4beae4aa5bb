import type { ActionRow } from '../tables.ts'

/**
 * From where the actions of a release are told to a socket that names none of them. It was told up to `lastSeq` of one:
 * the newest that has come so far, which may have ended meanwhile; of what began after that one it knows nothing.
 * Without a number only the running one is followed. Oldest first.
 */
export function resumeFrom(
  newestFirst: readonly Pick<ActionRow, 'id' | 'last_seq' | 'final_at'>[],
  lastSeq: number,
): [actionId: string, after: number][] {
  const at = lastSeq === 0 ? -1 : newestFirst.findIndex(({ last_seq }) => last_seq >= lastSeq)
  if (at === -1) return newestFirst.filter(({ final_at }) => final_at === null).map(({ id }) => [id, 0])
  return newestFirst
    .slice(0, at + 1)
    .map(({ id }, index): [string, number] => [id, index === at ? lastSeq : 0])
    .reverse()
}
